import { describe, expect, test } from 'vitest'
import type { Collection } from '../collections/collection.ts'
import type { Field } from '../fields/field.ts'
import type { Filter } from '../query/filter/filter.ts'
import { DISCLOSURE_KINDS, disclosuresOf } from './disclosures.ts'
import type { Grant } from './grant.ts'
import type { Permission } from './permission.ts'

const bare = { required: false, unique: false, default: null } as const
const field = (id: string, rest: Partial<Field> & Pick<Field, 'kind'>): Field =>
  ({ id, name: id, label: id, ...bare, options: {}, ...rest }) as Field

const title = field('title', { kind: 'text' })
const salary = field('salary', { kind: 'number' })
const state = field('state', {
  kind: 'state',
  options: { choices: ['new', 'done'].map((id) => ({ id, name: id, color: 'red' })) },
})
const boss = field('boss', { kind: 'relation', options: { collection: 'bosses', many: false } })

const bosses: Collection = {
  id: 'bosses',
  name: 'bosses',
  label: 'Bosses',
  fields: [title],
  titleField: null,
  version: 1,
}
const staffWith = (fields: readonly Field[], rest: Partial<Collection> = {}): Collection => ({
  ...bosses,
  id: 'staff',
  name: 'staff',
  fields: [title, ...fields],
  ...rest,
})

const grant = (verb: string, rest: Partial<Grant> = {}): Grant => ({
  permission: `records:${verb}` as Permission,
  collection: 'staff',
  ...rest,
})
const MANAGE: Grant = { permission: 'collections:manage', collection: 'staff' }
const except = (...fields: readonly string[]): Partial<Grant> => ({ fields: { except: fields } })
const where = (name: string): { readonly where: Filter } => ({ where: { field: name, op: '=', value: 'x' } })

const workflow = (when: Filter | null, requiredToLeave: readonly string[] = []): Partial<Collection> => ({
  workflow: {
    field: 'state',
    transitions: [{ id: 't', name: 'Finish', from: 'new', to: 'done', roles: [], when, note: 'none' }],
    states: { new: { requiredToLeave, frozen: [] } },
  },
})
const rule = { id: 'r', when: null, then: { field: 'salary', op: '=', value: 1 }, message: '', field: null } as const

type Case = {
  readonly staff: Collection
  /** Grants that leak data; `tight` contains the same grants without the leak. */
  readonly leaky: readonly Grant[]
  readonly tight: readonly Grant[]
  readonly by: string
}

const SALARY_ID = '01jd9q4z7m3k8w2x5v6c0b1n4r'
const SALARY_TWICE = `${SALARY_ID} * 2`
const withNumber = staffWith([field('no', { kind: 'auto-number' })])
const double = field('double', { kind: 'formula', options: { formula: SALARY_TWICE, result: 'number' } })
const withFormula = staffWith([{ ...salary, id: SALARY_ID }, double])
const withDefault = staffWith([
  { ...salary, id: SALARY_ID },
  field('note', { kind: 'text', defaultFormula: SALARY_TWICE }),
])
const links = field('links', { kind: 'relation', options: { collection: 'staff', many: true } })
const total = field('total', {
  kind: 'rollup',
  options: { path: ['links'], field: SALARY_ID, function: 'sum', result: 'number' },
})
const withRollup = staffWith([{ ...salary, id: SALARY_ID }, links, total])
const TOTAL_ID = '01k00000000000000000000t0t'
const share = field('share', { kind: 'formula', options: { formula: `${TOTAL_ID} / 2`, result: 'number' } })
const withFormulaOfRollup = staffWith([{ ...salary, id: SALARY_ID }, links, { ...total, id: TOTAL_ID }, share])
const withUnique = staffWith([field('code', { kind: 'text', unique: true })])
const withRequired = staffWith([{ ...salary, required: true }])
const withRule = staffWith([salary], { rules: [rule] })
const guarded = staffWith([salary, state], workflow({ field: 'salary', op: '=', value: 1 }))
const plain = staffWith([salary, state], workflow(null))

const CASES: Readonly<Record<(typeof DISCLOSURE_KINDS)[number], readonly Case[]>> = {
  unique: [
    {
      staff: withUnique,
      leaky: [grant('read', except('code')), grant('create')],
      tight: [grant('read'), grant('create')],
      by: 'code',
    },
    {
      staff: withUnique,
      leaky: [grant('read', where('title')), grant('update')],
      tight: [grant('read', where('title')), grant('update', except('code'))],
      by: 'code',
    },
    {
      staff: withUnique,
      leaky: [grant('read', except('code')), grant('import')],
      tight: [grant('read', except('code')), grant('delete')],
      by: 'code',
    },
  ],
  'auto-number': [
    {
      staff: withNumber,
      leaky: [grant('read', where('title')), grant('create')],
      tight: [grant('read'), grant('create')],
      by: 'no',
    },
    {
      staff: withNumber,
      leaky: [grant('read', where('title')), grant('import')],
      tight: [grant('read', where('title')), grant('update')],
      by: 'no',
    },
  ],
  formula: [
    {
      staff: withFormula,
      leaky: [grant('read', { fields: { only: ['title', 'double'] } })],
      tight: [grant('read', except(SALARY_ID))],
      by: 'double',
    },
    {
      staff: withDefault,
      leaky: [grant('read', except(SALARY_ID))],
      tight: [grant('read', except(SALARY_ID, 'note'))],
      by: 'note',
    },
  ],
  rollup: [
    {
      staff: withRollup,
      leaky: [grant('read', { fields: { only: ['title', 'total'] } })],
      tight: [grant('read', except(SALARY_ID))],
      by: 'total',
    },
    {
      staff: withRollup,
      leaky: [grant('read', { fields: { only: ['title', 'total', SALARY_ID] }, ...where('title') })],
      tight: [grant('read', where('title'))],
      by: 'total',
    },
    {
      staff: withFormulaOfRollup,
      leaky: [grant('read', { fields: { only: ['title', 'share'] } })],
      tight: [grant('read', except(SALARY_ID))],
      by: 'share',
    },
  ],
  required: [
    {
      staff: withRequired,
      leaky: [grant('read', except('salary')), grant('create', except('salary'))],
      tight: [grant('read', except('salary')), grant('create')],
      by: 'salary',
    },
    {
      staff: staffWith([salary, state], workflow(null, ['salary'])),
      leaky: [grant('read', except('salary')), grant('transition')],
      tight: [grant('read'), grant('transition')],
      by: 'salary',
    },
  ],
  rule: [
    {
      staff: withRule,
      leaky: [grant('read', except('salary')), grant('update')],
      tight: [grant('read'), grant('update')],
      by: 'r',
    },
    {
      staff: withRule,
      leaky: [grant('read', except('salary')), grant('import')],
      tight: [grant('read', except('salary')), grant('delete')],
      by: 'r',
    },
  ],
  condition: [
    {
      staff: staffWith([salary]),
      leaky: [grant('read', { ...where('salary'), ...except('salary') })],
      tight: [grant('read', { ...where('title'), ...except('salary') })],
      by: 'records:read',
    },
    {
      staff: staffWith([boss]),
      leaky: [grant('read', where('boss.title'))],
      tight: [grant('read', where('boss.title')), { permission: 'records:read', collection: 'bosses' }],
      by: 'records:read',
    },
  ],
  'unseen-record': [
    {
      staff: staffWith([]),
      leaky: [grant('read', where('title')), grant('update')],
      tight: [grant('read', where('title')), grant('update', where('title'))],
      by: 'records:update',
    },
    {
      staff: staffWith([]),
      leaky: [grant('read', where('title')), grant('delete')],
      tight: [grant('read', where('title')), grant('create')],
      by: 'records:delete',
    },
  ],
  transition: [
    {
      staff: guarded,
      leaky: [grant('read', except('salary')), grant('transition')],
      tight: [grant('read'), grant('transition')],
      by: 't',
    },
    {
      staff: guarded,
      leaky: [grant('read', except('salary')), grant('transition')],
      tight: [grant('read', except('salary')), grant('update')],
      by: 't',
    },
  ],
  status: [
    {
      staff: plain,
      leaky: [grant('read', except('state')), grant('transition')],
      tight: [grant('read', except('salary')), grant('transition')],
      by: 'state',
    },
    {
      staff: plain,
      leaky: [grant('read', except('state')), grant('update')],
      tight: [grant('read', except('state')), grant('delete')],
      by: 'state',
    },
  ],
  'collection-name': [
    {
      staff: staffWith([]),
      leaky: [grant('read'), MANAGE],
      tight: [grant('read'), grant('read', { collection: 'bosses' }), MANAGE],
      by: 'collections:manage',
    },
    {
      staff: staffWith([]),
      leaky: [grant('read'), MANAGE],
      tight: [grant('read'), grant('update')],
      by: 'collections:manage',
    },
  ],
  version: [
    {
      staff: staffWith([boss]),
      leaky: [grant('read'), grant('read', { collection: 'bosses', ...where('title') })],
      tight: [grant('read'), grant('read', { collection: 'bosses' })],
      by: 'records:read',
    },
    {
      staff: staffWith([salary]),
      leaky: [grant('read', except('salary'))],
      tight: [grant('read')],
      by: 'records:read',
    },
    {
      staff: staffWith([salary]),
      leaky: [grant('read', except('salary')), grant('read', where('title'))],
      tight: [grant('read', where('title'))],
      by: 'records:read',
    },
  ],
}

describe.each(DISCLOSURE_KINDS)('%s', (kind) => {
  test.each(CASES[kind])(
    'is disclosed by the first set of grants but not by the second ($#)',
    ({ staff, leaky, tight, by }) => {
      const found = (grants: readonly Grant[]) =>
        disclosuresOf(grants, [staff, bosses]).filter((disclosure) => disclosure.kind === kind)
      expect(found(leaky).map((disclosure) => disclosure.by)).toContain(by)
      expect(found(tight)).toEqual([])
    },
  )
})

test('reports no disclosures for owners or for grants without read access', () => {
  const all = [withUnique, withNumber, withRequired, withRule, guarded].map((collection, at) => ({
    ...collection,
    id: `staff${at}`,
  }))
  const verbs = ['create', 'update', 'delete', 'transition', 'import', 'export']
  const writes = verbs.map((verb) => grant(verb, { collection: null }))
  expect(disclosuresOf(writes, all)).toEqual([])
  expect(disclosuresOf([grant('read', { collection: null }), ...writes], all)).toEqual([])
})

test('names the hidden field, or null if the whole record is hidden', () => {
  const tellsOf = (staff: Collection, grants: readonly Grant[]) =>
    disclosuresOf(grants, [staff, bosses]).map(({ kind, reveals }) => [kind, reveals.map(({ field: named }) => named)])
  expect(tellsOf(withRequired, [grant('read', except('salary')), grant('create', except('salary'))])).toEqual([
    ['required', ['salary']],
    ['version', ['salary']],
  ])
  expect(tellsOf(withNumber, [grant('read', where('title')), grant('create')])).toEqual([['auto-number', [null]]])
})
