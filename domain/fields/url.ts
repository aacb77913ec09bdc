import { type KindRules, fault } from './field-kind.ts'
import { TEXT_OPTIONS } from './field-options.ts'
import { checkText } from './text.ts'

/** Browsers and servers don't reliably support longer URLs. */
const MAX_URL_LENGTH = 2_048

/**
 * Captures the scheme, the host with port, and the rest. Rejects an @ before the host, which could disguise the target.
 */
const URL_PARTS = /^(?:(https?):\/\/)?([^/?#\\@]+)([/?#].*)?$/i
const HOST_PARTS = /^(\[[0-9a-f:.]+\]|[^:[\]]+)(?::(\d{1,5}))?$/i
const HOST_LABEL = /^[\p{L}\p{N}\p{M}_](?:[\p{L}\p{N}\p{M}_-]{0,61}[\p{L}\p{N}\p{M}_])?$/u

/** Normalized URL; `http` and `https` only. */
export const urlRules: KindRules<'url'> = {
  ...TEXT_OPTIONS,
  check: (value, field) => {
    if (typeof value !== 'string') return fault('not-text', 'Must be text.')
    const address = normalUrl(value)
    return address === undefined
      ? fault('not-url', `“${value.slice(0, 60)}” isn’t a valid URL. Example: https://example.org.`)
      : checkText(address, field, MAX_URL_LENGTH)
  },
  parse: (text, field) => urlRules.check(text, field),
  print: (value) => value,
  canBeUnique: true,
}

/** Stored form of a URL: lowercase scheme and host, no default port. Undefined if it isn't a URL. */
export function normalUrl(text: string): string | undefined {
  const address = text.trim()
  // Control and invisible characters could disguise the target.
  if (/[\s\p{Cc}\p{Cf}]/u.test(address)) return undefined
  const [, scheme, authority = '', rest = ''] = URL_PARTS.exec(address) ?? []
  const way = (scheme ?? 'https').toLowerCase()
  const place = normalPlace(authority, way, scheme !== undefined)
  return place && `${way}://${place}${rest}`
}

function normalPlace(authority: string, way: string, hasScheme: boolean): string | undefined {
  const [, host = '', port] = HOST_PARTS.exec(authority) ?? []
  const kept = host.toLowerCase().normalize('NFC')
  if (!isHost(kept, hasScheme)) return undefined
  if (port === undefined || Number(port) === (way === 'https' ? 443 : 80)) return kept
  return Number(port) <= 65_535 ? `${kept}:${Number(port)}` : undefined
}

/** Without a scheme, the host must contain a dot. */
function isHost(host: string, hasScheme: boolean): boolean {
  if (host.startsWith('[')) return hasScheme
  const labels = host.split('.')
  const isNamed = labels.every((label) => HOST_LABEL.test(label))
  return isNamed && (hasScheme || (labels.length > 1 && /\p{L}/u.test(labels.at(-1) ?? '')))
}
