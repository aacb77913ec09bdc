import { isIP } from 'node:net'

export type Environment = { readonly [name: string]: string | undefined }

export type SettingReaders = {
  /** An empty setting counts as unset, because Compose files pass omitted values as empty strings. */
  readonly text: (name: string) => string | undefined
  readonly wholeNumber: (name: string, from: number, to: number) => number | undefined
  readonly choice: <Choice extends string>(name: string, choices: readonly Choice[]) => Choice | undefined
  readonly url: (name: string, schemes: readonly string[]) => URL | undefined
  /** A URL for confidential requests: `https:`, or `http:` on this machine only. */
  readonly safeUrl: (name: string) => URL | undefined
  readonly matching: (name: string, pattern: RegExp, wanted: string) => string | undefined
  /** A list separated by spaces or commas. */
  readonly list: (name: string, isEntry: (text: string) => boolean, wanted: string) => readonly string[]
  readonly together: <Name extends string>(
    names: readonly Name[],
    purpose: string,
  ) => { readonly [name in Name]: string } | undefined
  readonly refuse: (sentence: string) => void
}

/** Typed readers for environment variables. Each error message names the setting and never contains a secret. */
export function settingReaders(environment: Environment, faults: string[]): SettingReaders {
  const refuse = (sentence: string): undefined => void faults.push(sentence)
  const text = (name: string): string | undefined => environment[name]?.trim() || undefined

  const matching: SettingReaders['matching'] = (name, pattern, wanted) => {
    const value = text(name)
    return value === undefined || pattern.test(value) ? value : refuse(`${name} is "${value}"; it must be ${wanted}.`)
  }

  const url: SettingReaders['url'] = (name, schemes) => {
    const value = text(name)
    if (value === undefined) return undefined
    const parsed = URL.parse(value)
    if (parsed && schemes.includes(parsed.protocol) && parsed.hostname !== '') return parsed
    // Omits the value, because such URLs contain passwords.
    return refuse(`${name} must be a URL that starts with ${schemes.map((scheme) => `${scheme}//…`).join(' or ')}.`)
  }

  const safeUrl: SettingReaders['safeUrl'] = (name) => {
    const parsed = url(name, ['https:', 'http:'])
    if (parsed?.protocol !== 'http:' || isThisMachine(parsed.hostname)) return parsed
    return refuse(
      `${name} must start with https:. Plain http: is allowed only for this machine, such as http://localhost.`,
    )
  }

  const list: SettingReaders['list'] = (name, isEntry, wanted) => {
    const entries = (text(name) ?? '').split(/[\s,]+/).filter((one) => one !== '')
    for (const one of entries.filter((one) => !isEntry(one))) {
      refuse(`${name} contains "${one}"; each entry must be ${wanted}.`)
    }
    return entries
  }

  const together: SettingReaders['together'] = (names, purpose) => {
    const values = names.map((name) => [name, text(name)] as const)
    const missing = values.filter(([, value]) => value === undefined).map(([name]) => name)
    if (missing.length === names.length) return undefined
    if (missing.length > 0) return refuse(`Set ${missing.join(' and ')} as well: ${purpose}.`)
    return Object.fromEntries(values) as { [name in (typeof names)[number]]: string }
  }

  return {
    text,
    matching,
    url,
    safeUrl,
    list,
    together,
    refuse,
    wholeNumber: (name, from, to) => {
      const value = text(name)
      if (value === undefined) return undefined
      const number = Number(value)
      if (/^\d+$/.test(value) && number >= from && number <= to) return number
      return refuse(`${name} is "${value}"; it must be a whole number from ${from} to ${to}.`)
    },
    choice: (name, choices) => {
      const value = text(name)
      if (value === undefined) return undefined
      const found = choices.find((choice) => choice === value.toLowerCase())
      return found ?? refuse(`${name} is "${value}"; it must be one of ${choices.join(', ')}.`)
    },
  }
}

/** `URL` normalizes 127.1 and 0x7f.1 to 127.0.0.1. */
const isThisMachine = (hostname: string): boolean =>
  hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || isInLoopbackRange(hostname)

const isInLoopbackRange = (hostname: string): boolean => isIP(hostname) === 4 && hostname.startsWith('127.')

/** Whether the text is an http or https origin: scheme, host and optional port, without a path. */
export const isOrigin = (text: string): boolean => {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === text
}

export function isAddressOrRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

export type Secret = { readonly reveal: () => string }

export const secret = (text: string): Secret => ({ reveal: () => text })
