/** Texts that are harmful if interpreted; they must be treated as plain text and come back unchanged. */

/** SQL. */
const SQL: readonly string[] = [
  "'",
  '"',
  "' OR '1'='1",
  '" OR ""="',
  "'; DROP TABLE users; --",
  "x'); DELETE FROM users; --",
  '1 UNION SELECT password_hash FROM users',
  "' UNION SELECT NULL, NULL, NULL --",
  '%',
  '_',
  "\\'; SELECT pg_sleep(9); --",
  '$$; SELECT pg_sleep(9); $$',
  "'||(SELECT version())||'",
  '?1 :name @p1 $1',
  '/*',
  '--',
  ';',
  '`',
  '[x]',
  "e'\\x27'",
]

/** Hostile file names. */
const PATHS: readonly string[] = [
  '..',
  '../../../../etc/passwd',
  '..\\..\\..\\windows\\win.ini',
  '/etc/passwd',
  'C:\\boot.ini',
  '....//....//etc/passwd',
  '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
  '..%252f..%252fetc%252fpasswd',
  '..%c0%af..%c0%afetc/passwd',
  'file:///etc/passwd',
  'dossier.sqlite',
  '../keys',
  'CON',
  'a/b',
  '.',
  '~root/.ssh/id_rsa',
]

/** Texts that could inject headers. */
const HEADERS: readonly string[] = [
  'a\r\nSet-Cookie: ran=1',
  'a\nX-Ran: 1',
  'a\r\n\r\n<script>ran()</script>',
  'a"; filename="ran.html',
  "a'; filename*=UTF-8''ran.html",
  'a\u2028X-Ran: 1',
  'a\u560d\u560aX-Ran: 1',
  'a%0d%0aX-Ran: 1',
  'a;b=c',
]

const FORMULAS: readonly string[] = [
  '=1+1',
  '+1+1',
  '-1+1',
  '@SUM(1)',
  '\t=1+1',
  '=cmd|"/C calc"!A0',
  '=HYPERLINK("http://ran.example","x")',
  "'=1+1",
  '＝1+1',
  '"=1+1"',
  ';=1+1',
  '=1+1;,"x',
]

/** Templates. */
const TEMPLATES: readonly string[] = [
  '{{7*191}}',
  '${7*191}',
  '<%= 7*191 %>',
  '#{7*191}',
  '{% print(7*191) %}',
  '{{constructor.constructor("return 7*191")()}}',
  '$&',
  '$`',
  "$'",
  '$1',
  '{0}',
  '%s%n%d',
]

/** Texts that are hard to store, compare or display. */
const UNICODE: readonly string[] = [
  '\ud800',
  'a\udc00b',
  '\u202Eevil\u202C',
  '\ufeffa',
  'e\u0301',
  '\u00e9',
  '\ufb01',
  'İıſẞ',
  '\u200b\u200d\u2060',
  '👩‍👩‍👧‍👦',
  'ﷺ'.repeat(50),
  'a\u0300'.repeat(200),
  '\u0001\u0007\u001b[31m',
  '\uffff',
  '𝕬𝕭',
  'ÅÅÅ',
]

/** Property names that every object has. */
export const MEMBERS: readonly string[] = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'then',
]

export const TEXTS: readonly string[] = [
  ...SQL,
  ...PATHS,
  ...HEADERS,
  ...FORMULAS,
  ...TEMPLATES,
  ...UNICODE,
  ...MEMBERS,
]
