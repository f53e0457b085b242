"""Builders of documents: one module for each kind of result."""
