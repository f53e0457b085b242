"""Reports as text and as pages."""
