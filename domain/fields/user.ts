import { ok } from '../shared/result.ts'
import { fault, type KindRules } from './field-kind.ts'
import { isId } from './relation.ts'

/** Larger lists should be modeled differently. */
const MAX_USERS = 1000

/** Users by ID; the server checks whether they can be selected. */
export const userRules: KindRules<'user'> = {
  optionNames: ['many'],
  checkOptions: ({ many = false }) => ok({ many }),
  check: (value, field) => {
    if (!field.options.many) return isId(value) ? ok(value) : fault('not-user', 'Must be a user ID.')
    if (!Array.isArray(value)) return fault('not-list', 'Must be a list of user IDs.')
    if (value.length > MAX_USERS) return fault('too-many', `Must contain at most ${MAX_USERS} people.`)
    return value.every(isId) ? ok([...new Set(value)]) : fault('not-user', 'Each item must be a user ID.')
  },
  parse: (text, field) => {
    const ids = text.split(';').map((part) => part.trim())
    return userRules.check(field.options.many ? ids.filter((id) => id !== '') : text.trim(), field)
  },
  print: (value) => (typeof value === 'string' ? value : value.join('; ')),
  canBeUnique: false,
}
