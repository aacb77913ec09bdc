import type { DisclosureKind } from '#domain/access/disclosures.ts'
import type { Grant } from '#domain/access/grant.ts'
import type { Answer, Caller } from '#tests/support/server/test-app.ts'
import type { SecretPlace } from './excuses.ts'
import { accepted, equals, giveWorkflow, grantIn, type Made, makeCollection } from './staged-world.ts'
import type { Twins } from './twins.ts'

type Exception = {
  readonly define?: (home: Made, owner: Caller) => Promise<unknown>
  readonly grants: (home: Made) => readonly Grant[]
  readonly field: string | null
  readonly isUnseen?: boolean
  readonly make: (home: Made, owner: Caller, isFirst: boolean) => Promise<unknown>
  readonly ask: (home: Made, reader: Caller) => Promise<Answer>
  readonly isOfUnseen?: boolean
}

const recordPath = ({ name, records }: Made, at: number): string => `/api/collections/${name}/records/${records[at]}`

const unseenName = ({ name }: Made): string => `${name}_unseen`

const changeSalary = (home: Made, owner: Caller, isFirst: boolean) =>
  owner.patch(recordPath(home, 1), { values: { salary: isFirst ? 10 : 900 } })

const seesOurs = (home: Made): Grant => grantIn(home, 'read', { where: equals('team', 'ours') })
const seesNo = (home: Made, field: string): Grant =>
  grantIn(home, 'read', { fields: { except: [home.fieldId(field)] } })
const changeTitle = (home: Made, reader: Caller) => reader.patch(recordPath(home, 1), { values: { title: 'Changed' } })
const move = (home: Made, reader: Caller) => reader.post(`${recordPath(home, 1)}/transitions`, { to: 'done' })

const workflowWith =
  (when: string | null, required: readonly string[] = []) =>
  (home: Made, owner: Caller): Promise<void> =>
    giveWorkflow(owner, home, { to: ['done'], when, required })

const EXCEPTIONS: Readonly<Record<DisclosureKind, Exception>> = {
  unique: {
    grants: (home) => [seesNo(home, 'code'), grantIn(home, 'create')],
    field: 'code',
    make: (home, owner, isFirst) => owner.patch(recordPath(home, 0), { values: { code: isFirst ? 'K-1' : 'K-2' } }),
    ask: ({ name }, reader) => reader.post(`/api/collections/${name}/records`, { values: { title: 'x', code: 'K-1' } }),
  },
  'auto-number': {
    grants: (home) => [seesOurs(home), grantIn(home, 'create')],
    field: null,
    isUnseen: true,
    make: async ({ name }, owner, isFirst) =>
      owner.post(`/api/collections/${isFirst ? name : 'decoy'}/records`, { values: { title: 'x' } }),
    ask: ({ name }, reader) =>
      reader.post(`/api/collections/${name}/records`, { values: { title: 'x', team: 'ours' } }),
  },
  formula: {
    grants: (home) => [grantIn(home, 'read', { fields: { only: [home.fieldId('title'), home.fieldId('double')] } })],
    field: 'salary',
    make: changeSalary,
    ask: (home, reader) => reader.get(recordPath(home, 1)),
  },
  rollup: {
    define: (home, owner) => accepted(owner.patch(recordPath(home, 0), { values: { link: home.records[1] } })),
    grants: (home) => [grantIn(home, 'read', { fields: { only: [home.fieldId('title'), home.fieldId('linked')] } })],
    field: 'salary',
    make: changeSalary,
    ask: (home, reader) => reader.get(recordPath(home, 0)),
  },
  required: {
    grants: (home) => [
      seesNo(home, 'salary'),
      grantIn(home, 'create', { fields: { except: [home.fieldId('salary')] } }),
    ],
    field: 'salary',
    make: ({ name }, owner, isFirst) => owner.patch(`/api/collections/${name}/fields/salary`, { required: isFirst }),
    ask: ({ name }, reader) => reader.post(`/api/collections/${name}/records`, { values: { title: 'x' } }),
  },
  rule: {
    define: ({ name }, owner) =>
      accepted(
        owner.patch(`/api/collections/${name}`, {
          rules: [{ when: 'title = "Changed"', then: 'salary < 100', message: 'Too much.' }],
        }),
      ),
    grants: (home) => [seesNo(home, 'salary'), grantIn(home, 'update')],
    field: 'salary',
    make: changeSalary,
    ask: changeTitle,
  },
  condition: {
    grants: (home) => [
      seesNo(home, 'salary'),
      grantIn(home, 'update', { where: { field: 'salary', op: '<', value: 100 } }),
    ],
    field: 'salary',
    make: changeSalary,
    ask: changeTitle,
  },
  'unseen-record': {
    grants: (home) => [seesOurs(home), grantIn(home, 'delete')],
    field: null,
    isUnseen: true,
    make: async (home, owner, isFirst) => {
      const { id } = await accepted(owner.post('/api/collections/decoy/records', { values: { title: 'x' } }))
      return owner.delete(isFirst ? recordPath(home, 1) : `/api/collections/decoy/records/${id}`)
    },
    ask: (home, reader) => reader.delete(recordPath(home, 1)),
  },
  transition: {
    define: workflowWith('salary < 100'),
    grants: (home) => [seesNo(home, 'salary'), grantIn(home, 'transition')],
    field: 'salary',
    make: changeSalary,
    ask: move,
  },
  status: {
    define: workflowWith(null),
    grants: (home) => [seesNo(home, 'state'), grantIn(home, 'transition')],
    field: 'state',
    make: (home, owner, isFirst) => (isFirst ? move(home, owner) : owner.get(recordPath(home, 1))),
    ask: move,
  },
  version: {
    grants: (home) => [seesNo(home, 'salary')],
    field: 'salary',
    make: async (home, owner, isFirst) => {
      if (isFirst) await owner.patch(recordPath(home, 1), { values: { salary: 7 } })
      return owner.patch(recordPath(home, 1), { values: { salary: 8 } })
    },
    ask: (home, reader) => reader.get(recordPath(home, 1)),
  },
  'collection-name': {
    grants: (home) => [grantIn(home, 'read'), { permission: 'collections:manage', collection: home.id }],
    field: null,
    isUnseen: true,
    isOfUnseen: true,
    make: (home, owner, isFirst) =>
      owner.patch(`/api/collections/${unseenName(home)}`, { name: isFirst ? 'name_taken' : 'other_name' }),
    ask: ({ name }, reader) => reader.patch(`/api/collections/${name}`, { name: 'name_taken' }),
  },
}

const FIELDS = [
  { name: 'title', kind: 'text' },
  { name: 'team', kind: 'text' },
  { name: 'code', kind: 'text', unique: true },
  { name: 'salary', kind: 'number' },
  { name: 'serial', kind: 'auto-number' },
  { name: 'double', kind: 'formula', options: { formula: 'salary * 2' } },
  { name: 'state', kind: 'state', options: { choices: [{ name: 'new' }, { name: 'done' }] } },
]

const lookupIn = (name: string) => [
  { name: 'link', kind: 'relation', options: { collection: name, many: false } },
  { name: 'linked', kind: 'lookup', options: { path: ['link'], field: 'salary' } },
]

export async function bringAbout(
  { owner, owners, visitors, taken }: Twins,
  kind: DisclosureKind,
): Promise<{ readonly grants: readonly Grant[]; readonly place: SecretPlace }> {
  const { define, grants: grantsOf, field, isUnseen = false, make, ask, isOfUnseen = false } = EXCEPTIONS[kind]
  const name = `case_${kind.replace('-', '_')}`
  const fields = kind === 'rollup' ? [...FIELDS, ...lookupIn(name)] : FIELDS
  const home = await makeCollection(owner, name, fields, [
    { title: 'One', team: 'ours' },
    { title: 'Two', team: 'theirs', salary: 5 },
  ])
  const unseen = await makeCollection(owner, unseenName(home), FIELDS, [])
  await define?.(home, owner)
  for (const [at, one] of owners.entries()) await make(home, one, at === 0)
  const grants = grantsOf(home)
  visitors.grant(grants)
  taken()
  await ask(home, visitors.granted)
  return {
    grants,
    place: { collection: (isOfUnseen ? unseen : home).id, field: field && home.fieldId(field), isUnseen },
  }
}
