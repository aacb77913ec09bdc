import { ok } from '../shared/result.ts'
import { type KindRules, fault } from './field-kind.ts'
import { isId } from './relation.ts'

/** Most people one value may name; more are a group that should have a name of its own. */
const MAX_USERS = 1000

/** People of this workspace, one or many, by id. Whether they may be chosen, the server judges. */
export const userRules: KindRules<'user'> = {
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
