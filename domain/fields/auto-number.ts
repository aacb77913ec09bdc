import { ok } from '../shared/result.ts'
import { type KindRules, fault } from './field-kind.ts'

/** A double carries every whole number of this many digits. */
const WHOLE_NUMBER = /^\d{1,15}$/

/** Counts the records of a collection up from 1. Only the server gives numbers; they are checked when a field becomes one. */
export const autoNumberRules: KindRules<'auto-number'> = {
  check: (value) =>
    typeof value === 'number' && Number.isInteger(value) && value > 0 && WHOLE_NUMBER.test(String(value))
      ? ok(value)
      : fault('not-count', 'Must be a whole number of 1 or more.'),
  parse: (text, field) => {
    const plain = text.trim()
    return autoNumberRules.check(WHOLE_NUMBER.test(plain) ? Number(plain) : undefined, field)
  },
  print: (value) => String(value),
  canBeUnique: true,
}
