import { ID_PATTERN } from '../shared/ids.ts'
import { partProblem } from '../shared/problem.ts'
import { fail, ok } from '../shared/result.ts'
import { type KindRules, fault } from './field-kind.ts'

/** To link more records, use a relation in the other collection. */
const MAX_RELATED_RECORDS = 1000

/** IDs of linked records; the server checks whether they exist and are visible. */
export const relationRules: KindRules<'relation'> = {
  optionNames: ['collection', 'many'],
  checkOptions: ({ collection = '', many = false }, { findCollection }) => {
    const id = findCollection(collection)
    return id === undefined
      ? fail([partProblem('options.collection', 'unknown-collection', 'Choose the linked collection.')])
      : ok({ collection: id, many })
  },
  check: (value, field) => {
    if (!field.options.many) return isId(value) ? ok(value) : fault('not-record', 'Must be a record ID.')
    if (!Array.isArray(value)) return fault('not-list', 'Must be a list of record IDs.')
    if (value.length > MAX_RELATED_RECORDS)
      return fault('too-many', `Must contain at most ${MAX_RELATED_RECORDS} records.`)
    return value.every(isId) ? ok([...new Set(value)]) : fault('not-record', 'Each item must be a record ID.')
  },
  parse: (text, field) => {
    const ids = text.split(';').map((part) => part.trim())
    return relationRules.check(field.options.many ? ids.filter((id) => id !== '') : text.trim(), field)
  },
  print: (value) => (typeof value === 'string' ? value : value.join('; ')),
  canBeUnique: true,
}

/** Links are changed in the relation, so values of its reverse side are only read. */
export const reverseRules: KindRules<'reverse'> = {
  optionNames: ['collection', 'relation', 'fields'],
  checkOptions: (options, { findRelation }) => findRelation(options),
  check: () => fault('read-only', 'Can’t be changed here. Change the linked record field in the linked records.'),
  parse: () => fault('read-only', 'Can’t be imported. Import the linked record field in the linked records.'),
  print: (value) => value.join('; '),
  canBeUnique: false,
}

export const isId = (value: unknown): value is string => typeof value === 'string' && ID_PATTERN.test(value)

/** Users who need longer lists should model the data differently. */
const MAX_USERS = 1000

/** User IDs; the server checks whether the users can be selected. */
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
