type NamePattern = readonly [pattern: RegExp, name: string]

/** Most user agents also contain Chrome and Safari, so more specific names come first. */
const BROWSERS: readonly NamePattern[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|Opera|OPiOS)\//, 'Opera'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bYaBrowser\//, 'Yandex Browser'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:HeadlessChrome|Chromium)\//, 'Chromium'],
  [/\b(?:Chrome|CriOS)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.*\bSafari\//, 'Safari'],
]

/** Mobile user agents also contain the name of a desktop operating system, so more specific names come first. */
const SYSTEMS: readonly NamePattern[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac(?:intosh| OS X)\b/, 'Mac'],
  [/\bLinux\b/, 'Linux'],
]

const nameIn = (patterns: readonly NamePattern[], text: string): string | undefined =>
  patterns.find(([pattern]) => pattern.test(text))?.[1]

/** API clients send `name/version`; the name is shown only if it is a plain word, because the header is untrusted. */
const PROGRAM = /^([A-Za-z][\w.-]{0,30})(?:\/[\w.+-]{1,30})?(?:\s|$)/

/** Short name derived from the user agent, such as “Firefox on Linux”. */
export function deviceName(userAgent: string): string {
  const browser = nameIn(BROWSERS, userAgent)
  const system = nameIn(SYSTEMS, userAgent)
  if (browser !== undefined) return system === undefined ? browser : `${browser} on ${system}`
  const program = PROGRAM.exec(userAgent)?.[1]
  if (program !== undefined && program !== 'Mozilla') return program
  return system === undefined ? 'Unknown device' : `A browser on ${system}`
}
