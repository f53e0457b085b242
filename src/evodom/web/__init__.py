"""The page of `evodom serve`: a small server for this machine, made of parts that share nothing but their site.

`server` listens, `guard` refuses what comes from elsewhere, `app` joins the parts. A part is a module with a list of
`routes`, and a page and a module of its own in `static`.
"""
