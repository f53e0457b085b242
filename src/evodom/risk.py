"""Battles of Risk."""
