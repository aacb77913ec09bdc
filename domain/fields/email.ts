import { type KindRules, fault } from './field-kind.ts'
import { TEXT_OPTIONS } from './field-options.ts'
import { checkText } from './text.ts'

/** Maximum lengths of an email address (RFC 5321) and of the part before the @. */
const MAX_EMAIL_LENGTH = 254
const MAX_LOCAL_LENGTH = 64

/** No whitespace, quotation marks or address list separators. */
const LOCAL = /^[^\s@"(),:;<>[\\\]\p{Cc}]+$/u
const DOMAIN_LABEL = /^[\p{L}\p{N}\p{M}](?:[\p{L}\p{N}\p{M}-]{0,61}[\p{L}\p{N}\p{M}])?$/u

export const emailRules: KindRules<'email'> = {
  ...TEXT_OPTIONS,
  check: (value, field) => {
    if (typeof value !== 'string') return fault('not-text', 'Must be text.')
    const address = normalEmail(value)
    return address === undefined
      ? fault('not-email', `“${value.slice(0, 60)}” isn’t a valid email address. Example: name@example.org.`)
      : checkText(address, field, MAX_EMAIL_LENGTH)
  },
  parse: (text, field) => emailRules.check(text, field),
  print: (value) => value,
  canBeUnique: true,
}

/**
 * Normalized email address: trimmed and lowercased, including the local part, because mailboxes are case-insensitive in
 * practice. Undefined if it isn't an email address.
 */
export function normalEmail(text: string): string | undefined {
  const address = text.trim().toLowerCase().normalize('NFC')
  const at = address.lastIndexOf('@')
  const [local, domain] = [address.slice(0, Math.max(at, 0)), address.slice(at + 1)]
  const labels = domain.split('.')
  const isLocal = local.length <= MAX_LOCAL_LENGTH && LOCAL.test(local) && !/^\.|\.$/.test(local)
  const isDomain =
    labels.length > 1 && labels.every((label) => DOMAIN_LABEL.test(label)) && !/^\d+$/.test(labels.at(-1) ?? '')
  return isLocal && isDomain ? address : undefined
}
