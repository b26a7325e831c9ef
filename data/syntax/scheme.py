"""A style scheme of GtkSourceView in the colours of the look: scheme.py ID VARIANT OUT SHEET...

The colours are those of the sheets (light.css, and over it contrast-light.css), so that each has one home.
"""
import re
import sys

STYLES = """\
  <style name="def:comment" foreground="{ls_dim}" italic="true"/>
  <style name="def:string" foreground="{ls_dim}"/>
  <style name="def:character" foreground="{ls_dim}"/>
  <style name="def:keyword" bold="true"/>
  <style name="def:type" bold="true"/>
  <style name="def:heading" bold="true"/>
  <style name="def:preformatted-section" foreground="{ls_accent_text}"/>
  <style name="def:inline-code" foreground="{ls_accent_text}"/>
  <style name="search-match" background="{ls_warn_bg}" underline="single"/>
"""


def main():
    name, variant, out = sys.argv[1:4]
    colors = {}
    for path in sys.argv[4:]:
        with open(path, encoding="utf-8") as sheet:
            colors.update(re.findall(r"@define-color (\w+) (#[0-9a-f]{6});", sheet.read()))
    with open(out, "w", encoding="utf-8") as scheme:
        scheme.write(f'<?xml version="1.0" encoding="UTF-8"?>\n<style-scheme id="{name}" name="Loopscope" version="1.0">\n'
                     f'  <metadata>\n    <property name="variant">{variant}</property>\n  </metadata>\n'
                     + STYLES.format_map(colors) + "</style-scheme>\n")


main()
