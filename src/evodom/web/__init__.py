"""The server of `evodom serve`: pages and a JSON API for the browsers of this machine.

`server` joins the parts and listens; `guard` refuses foreign requests; `site` has the code that the parts share. A
part is a module with a list of `routes`: `sessions`, `ask`, `runs`, `tasks`, `maps`. `static` has the scripts.
"""
