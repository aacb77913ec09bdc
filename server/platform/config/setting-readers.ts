import { isIP } from 'node:net'

/** Names and texts of the environment. */
export type Environment = { readonly [name: string]: string | undefined }

/** Reads one setting of a kind; `undefined` where it is not set or makes no sense, and then a sentence is noted. */
export type SettingReaders = {
  /** An empty setting counts as one that is not there: that is how compose files leave things out. */
  readonly text: (name: string) => string | undefined
  readonly wholeNumber: (name: string, from: number, to: number) => number | undefined
  readonly choice: <Choice extends string>(name: string, choices: readonly Choice[]) => Choice | undefined
  readonly url: (name: string, schemes: readonly string[]) => URL | undefined
  /** An address that is asked something others must not read or forge: `https:`, or `http:` on this very machine. */
  readonly safeUrl: (name: string) => URL | undefined
  readonly matching: (name: string, pattern: RegExp, wanted: string) => string | undefined
  readonly addresses: (name: string) => readonly string[]
  /** Settings that make sense only together: all of them or none, and those missing are named. */
  readonly together: <Name extends string>(
    names: readonly Name[],
    purpose: string,
  ) => { readonly [name in Name]: string } | undefined
  readonly refuse: (sentence: string) => void
}

/** Readers over an environment; each fault is one sentence that names the setting and never shows a secret. */
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
    // The value stays unsaid: such addresses carry passwords.
    return refuse(`${name} must be a URL that starts with ${schemes.map((scheme) => `${scheme}//…`).join(' or ')}.`)
  }

  const safeUrl: SettingReaders['safeUrl'] = (name) => {
    const parsed = url(name, ['https:', 'http:'])
    if (parsed?.protocol !== 'http:' || isThisMachine(parsed.hostname)) return parsed
    return refuse(
      `${name} must start with https:. Plain http: is allowed only for this machine, such as http://localhost.`,
    )
  }

  const addresses: SettingReaders['addresses'] = (name) => {
    const list = (text(name) ?? '').split(/[\s,]+/).filter((one) => one !== '')
    for (const one of list.filter((one) => !isAddressOrRange(one))) {
      refuse(`${name} contains "${one}"; each entry must be an IP address or a range such as 10.0.0.0/8.`)
    }
    return list
  }

  const together: SettingReaders['together'] = (names, purpose) => {
    const values = names.map((name) => [name, text(name)] as const)
    const missing = values.filter(([, value]) => value === undefined).map(([name]) => name)
    if (missing.length === names.length) return undefined
    if (missing.length > 0) return refuse(`Set ${missing.join(' and ')} as well: ${purpose}.`)
    // Nothing is missing, so each name has its text.
    return Object.fromEntries(values) as { [name in (typeof names)[number]]: string }
  }

  return {
    text,
    matching,
    url,
    safeUrl,
    addresses,
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

/** As `URL` writes it: 127.1 and 0x7f.1 have become 127.0.0.1 there. */
const isThisMachine = (hostname: string): boolean =>
  hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || isInLoopbackRange(hostname)

const isInLoopbackRange = (hostname: string): boolean => isIP(hostname) === 4 && hostname.startsWith('127.')

function isAddressOrRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}
