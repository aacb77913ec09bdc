import { ok } from '../shared/result.ts'
import { fault, type KindRules } from './field-kind.ts'
import { WITHOUT_OPTIONS } from './field-options.ts'

/** Every whole number of this many digits is exact in a double. */
const WHOLE_NUMBER = /^\d{1,15}$/

/** Counts from 1, assigned by the server; checked when a field changes to this kind. */
export const autoNumberRules: KindRules<'auto-number'> = {
  ...WITHOUT_OPTIONS,
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
