import type { Grant } from '#domain/access/grant.ts'
import type { Permission } from '#domain/access/permission.ts'
import type { Filter } from '#domain/query/filter/filter.ts'
import { sendingHeaders } from '#tests/access-oracle/world/build-world.ts'
import type { Answer, Caller } from '#tests/support/server/test-app.ts'
import type { SecretPlace } from './excuses.ts'
import type { Place, Target } from './probes.ts'
import type { Twins } from './twins.ts'

export type Made = Place & {
  readonly id: string
  readonly fieldId: (name: string) => string
  readonly records: readonly string[]
}

export type StagedWorld = { readonly clients: Made; readonly staff: Made }

export type StagedSecret = {
  readonly name: string
  readonly grants: readonly Grant[]
  readonly place: SecretPlace
  readonly target: Target
  readonly make: (owner: Caller, isFirst: boolean) => Promise<readonly string[] | void>
}

type FieldInput = { readonly name: string; readonly kind: string; readonly [part: string]: unknown }

const CHOICES = { options: { choices: [{ name: 'low' }, { name: 'high' }] } }

const CLIENTS: readonly FieldInput[] = [
  { name: 'title', kind: 'text' },
  { name: 'access', kind: 'text' },
  { name: 'budget', kind: 'number' },
]

const HIDDEN = {
  nickname: ['Quokka one', 'Quokka two'],
  memo: ['Wombat one', 'Wombat two'],
  code: ['K-1', 'K-2'],
  salary: [4100, 4200],
  isLeaving: [true, false],
  since: ['2026-03-01', '2026-04-01'],
  calledAt: ['2026-03-01T10:00:00.000Z', '2026-04-01T10:00:00.000Z'],
  level: ['low', 'high'],
  tags: [['low'], ['high']],
} as const

const STAFF: readonly FieldInput[] = [
  { name: 'title', kind: 'text' },
  { name: 'team', kind: 'text' },
  { name: 'nickname', kind: 'text' },
  { name: 'memo', kind: 'long-text' },
  { name: 'code', kind: 'text', unique: true },
  { name: 'salary', kind: 'number' },
  { name: 'isLeaving', kind: 'checkbox' },
  { name: 'since', kind: 'date' },
  { name: 'calledAt', kind: 'date-time' },
  { name: 'level', kind: 'select', ...CHOICES },
  { name: 'tags', kind: 'multi-select', ...CHOICES },
  { name: 'boss', kind: 'user', options: { many: false } },
  { name: 'docs', kind: 'files' },
  { name: 'serial', kind: 'auto-number' },
  { name: 'bonus', kind: 'formula', options: { formula: 'salary * 2 & nickname & memo & code & level & since' } },
  { name: 'state', kind: 'state', options: { choices: [{ name: 'new' }, { name: 'done' }, { name: 'dropped' }] } },
]

/** Calculated from the client, and from that. */
const OF_CLIENTS: readonly FieldInput[] = [
  { name: 'worth', kind: 'rollup', options: { path: ['client'], field: 'budget', function: 'sum' } },
  { name: 'access', kind: 'lookup', options: { path: ['client'], field: 'access', filter: 'budget > 0' } },
  { name: 'double', kind: 'formula', options: { formula: 'worth * 2' } },
]

export async function makeStagedWorld({ owner }: Twins, at: number): Promise<StagedWorld> {
  const clients = await makeCollection(owner, `clients${at}`, CLIENTS, [
    { title: 'Open client', access: 'open', budget: 1 },
    { title: 'Closed client', access: 'closed', budget: 2 },
    { title: 'Other closed client', access: 'closed', budget: 3 },
  ])
  const relations = ['client', 'backer'].map((name) => ({
    name,
    kind: 'relation',
    options: { collection: clients.name, many: false },
  }))
  const staff = await makeCollection(
    owner,
    `staff${at}`,
    [...STAFF, ...relations, ...OF_CLIENTS],
    [
      { title: 'Ada', team: 'ours', client: clients.records[0], backer: clients.records[0], salary: 4000 },
      { title: 'Bea', team: 'ours', client: clients.records[1], salary: 4150, nickname: 'Numbat' },
      { title: 'Cleo', team: 'theirs', client: clients.records[2], salary: 4300 },
      { title: 'Dora', team: 'theirs', salary: 4400 },
    ],
  )
  await giveWorkflow(owner, staff, { to: ['done', 'dropped'], when: null, required: [] })
  return { clients, staff }
}

export async function makeCollection(
  owner: Caller,
  name: string,
  fields: readonly FieldInput[],
  records: readonly object[],
): Promise<Made> {
  const labelled = fields.map((field) => ({ label: `${name} ${field.name}`, ...field }))
  const body = await accepted(
    owner.post('/api/collections', { name, label: `The ${name}`, fields: labelled, titleField: 'title' }),
  )
  const made: string[] = []
  for (const values of records)
    made.push((await accepted(owner.post(`/api/collections/${name}/records`, { values }))).id)
  const ids = new Map<string, string>(body.fields.map((field: { name: string; id: string }) => [field.name, field.id]))
  return {
    name,
    id: body.id,
    fields: fields.map(({ name: own, kind, options }) => ({
      name: own,
      kind: kind as Made['fields'][number]['kind'],
      target: targetOf(options),
    })),
    fieldId: (own) => ids.get(own) ?? '',
    records: made,
  }
}

export async function giveWorkflow(
  owner: Caller,
  { name, fieldId }: Made,
  {
    to,
    when,
    required,
  }: { readonly to: readonly string[]; readonly when: string | null; readonly required: readonly string[] },
): Promise<void> {
  const path = `/api/collections/${name}`
  const { fields } = await accepted(owner.get(path))
  const choices: readonly { readonly id: string; readonly name: string }[] = fields.find(
    (field: { readonly name: string }) => field.name === 'state',
  ).options.choices
  const idOf = (choice: string): string => choices.find((one) => one.name === choice)?.id ?? ''
  const transitions = to.map((state) => ({ name: `To ${state}`, from: idOf('new'), to: idOf(state), when }))
  const states = { [idOf('new')]: { requiredToLeave: required.map(fieldId), frozen: [] } }
  await accepted(owner.patch(path, { workflow: { transitions, states } }))
}

const targetOf = (options: unknown): string =>
  typeof options === 'object' && options !== null && 'collection' in options ? String(options.collection) : ''

export const grantIn = ({ id }: Made, right: string, rest: Partial<Grant> = {}): Grant => ({
  permission: `records:${right}` as Permission,
  collection: id,
  ...rest,
})

export const equals = (field: string, value: string | number): Filter => ({ field, op: '=', value })

export function stagedSecrets(world: StagedWorld): readonly StagedSecret[] {
  return [...hiddenFields(world), ...hiddenRecords(world), ...partlyHidden(world), ...hiddenDefinitions(world)]
}

function fieldBlind({ staff, clients }: StagedWorld, rest: Partial<Grant> = {}): readonly Grant[] {
  const hidden = [...Object.keys(HIDDEN), 'boss', 'docs', 'serial', 'state', 'backer'].map(staff.fieldId)
  const some = { ...rest, fields: { except: hidden } }
  const open = { where: equals('access', 'open') }
  return [
    grantIn(staff, 'read', some),
    grantIn(staff, 'export', some),
    grantIn(clients, 'read', open),
    grantIn(clients, 'export', open),
    { permission: 'audit:read', collection: null },
  ]
}

function rowBlind({ staff, clients }: StagedWorld): readonly Grant[] {
  const ours = { where: equals('team', 'ours') }
  const open = { where: equals('access', 'open') }
  return [
    ...['read', 'update', 'delete', 'export'].map((right) => grantIn(staff, right, ours)),
    grantIn(clients, 'read', open),
  ]
}

type Hidden = Pick<StagedSecret, 'grants'> & { readonly isUnseen?: boolean }

function valueSecret(
  { clients, staff }: StagedWorld,
  [home, at, field]: readonly [Made, number, string],
  values: readonly [unknown, unknown],
  rest: Hidden,
): StagedSecret {
  const record = home.records[at] ?? ''
  const write = async (owner: Caller, value: unknown): Promise<void> =>
    void (await accepted(
      owner.patch(`/api/collections/${home.name}/records/${record}`, { values: { [field]: value } }),
    ))
  return {
    name: `${home.name}.${field}`,
    grants: rest.grants,
    place: { collection: home.id, field: home.fieldId(field), isUnseen: rest.isUnseen ?? false },
    target: {
      collections: [staff, clients],
      collection: home.name,
      record,
      field,
      values: values.flat().filter((value): value is string => value !== null),
      files: [],
    },
    make: (owner, isFirst) => write(owner, values[isFirst ? 0 : 1]),
  }
}

function hiddenFields(world: StagedWorld): readonly StagedSecret[] {
  const { staff, clients } = world
  const grants = fieldBlind(world)
  const hidden = Object.entries(HIDDEN).map(([field, values]) =>
    valueSecret(world, [staff, 0, field], values, { grants }),
  )
  return [
    ...hidden,
    valueSecret(world, [staff, 0, 'backer'], [clients.records[0], null], { grants }),
    ...fileSecrets(world, [staff, 0], { grants }),
    statusSecret(world, [staff, 0], { grants }),
    changeCount(world, grants),
    autoNumber(world, fieldBlind(world, { where: equals('team', 'ours') })),
  ]
}

function fileSecrets(world: StagedWorld, [home, at]: readonly [Made, number], hidden: Hidden): readonly StagedSecret[] {
  const path = `/api/collections/${home.name}/records/${home.records[at]}`
  const secret = valueSecret(world, [home, at, 'docs'], [['plan-one.txt'], ['plan-two.txt']], hidden)
  return [
    {
      ...secret,
      make: async (owner, isFirst) => {
        const file = await sendFile(owner, home.name, isFirst ? 'plan-one.txt' : 'plan-two.txt')
        await accepted(owner.patch(path, { values: { docs: [file] } }))
        return [file]
      },
    },
    {
      ...secret,
      make: async (owner, isFirst) => {
        const file = await sendFile(owner, home.name, 'plan-one.txt')
        await accepted(owner.patch(path, { values: { docs: isFirst ? [file] : [] } }))
        return [file]
      },
    },
  ]
}

function statusSecret(world: StagedWorld, [home, at]: readonly [Made, number], hidden: Hidden): StagedSecret {
  const path = `/api/collections/${home.name}/records/${home.records[at]}/transitions`
  return {
    ...valueSecret(world, [home, at, 'state'], ['done', 'dropped'], hidden),
    make: async (owner, isFirst) => void (await accepted(owner.post(path, { to: isFirst ? 'done' : 'dropped' }))),
  }
}

function changeCount(world: StagedWorld, grants: readonly Grant[]): StagedSecret {
  const secret = valueSecret(world, [world.staff, 1, 'salary'], [4500, 4600], { grants })
  return {
    ...secret,
    name: 'how often a hidden field changed',
    make: async (owner, isFirst) => {
      if (isFirst) await secret.make(owner, false)
      await secret.make(owner, true)
    },
  }
}

function autoNumber({ staff, clients }: StagedWorld, grants: readonly Grant[]): StagedSecret {
  const path = `/api/collections/${staff.name}/records`
  return {
    name: 'a hidden auto number',
    grants,
    place: { collection: staff.id, field: staff.fieldId('serial'), isUnseen: false },
    target: {
      collections: [staff, clients],
      collection: staff.name,
      record: null,
      field: 'serial',
      values: [6, 7],
      files: [],
    },
    make: async (owner, isFirst) => {
      const other = isFirst ? path : '/api/collections/decoy/records'
      const { id } = await accepted(owner.post(other, { values: { title: 'x' } }))
      await accepted(owner.delete(`${other}/${id}`))
      await accepted(owner.post(path, { values: { title: 'Eva', team: 'ours' } }))
    },
  }
}

function hiddenRecords(world: StagedWorld): readonly StagedSecret[] {
  const { staff, clients } = world
  const grants = rowBlind(world)
  const unseen = { grants, isUnseen: true }
  return [
    valueSecret(world, [staff, 1, 'client'], [clients.records[2], null], unseen),
    // In one world the value stays unchanged, and only the record versions differ.
    valueSecret(world, [staff, 1, 'client'], [clients.records[1], clients.records[2]], unseen),
    valueSecret(world, [clients, 1, 'title'], ['Zebra', 'Lemur'], unseen),
    valueSecret(world, [clients, 1, 'budget'], [7100, 7200], unseen),
    valueSecret(world, [staff, 2, 'title'], ['Ibex', 'Okapi'], unseen),
    valueSecret(world, [staff, 2, 'salary'], [7300, 7400], unseen),
    statusSecret(world, [staff, 2], unseen),
    valueSecret(world, [staff, 2, 'client'], [clients.records[0], null], unseen),
    ...fileSecrets(world, [staff, 2], unseen),
    {
      name: 'a record that is there in one world only',
      grants,
      place: { collection: staff.id, field: null, isUnseen: true },
      target: {
        collections: [staff, clients],
        collection: staff.name,
        record: staff.records[3] ?? '',
        field: null,
        values: ['Dora', 4400],
        files: [],
      },
      make: async (owner, isFirst) => {
        const decoy = '/api/collections/decoy/records'
        const { id } = await accepted(owner.post(decoy, { values: { title: 'x' } }))
        const path = isFirst ? `${decoy}/${id}` : `/api/collections/${staff.name}/records/${staff.records[3]}`
        await accepted(owner.delete(path))
      },
    },
  ]
}

function partlyHidden(world: StagedWorld): readonly StagedSecret[] {
  const { staff } = world
  const ours = { where: equals('team', 'ours') }
  const some = { fields: { except: Object.keys(HIDDEN).map(staff.fieldId) } }
  const grants = ['read', 'export'].flatMap((right) => [grantIn(staff, right, ours), grantIn(staff, right, some)])
  const secrets = { ...HIDDEN, code: ['K-3', 'K-4'] as const }
  return Object.entries(secrets).map(([field, values]) => valueSecret(world, [staff, 2, field], values, { grants }))
}

function hiddenDefinitions(world: StagedWorld): readonly StagedSecret[] {
  const { staff, clients } = world
  const path = `/api/collections/${staff.name}/fields/salary`
  const [visible] = rowBlind(world)
  const grants = fieldBlind(world)
  const ofField = (name: string, one: object, other: object): StagedSecret => ({
    name,
    grants,
    place: { collection: staff.id, field: staff.fieldId('salary'), isUnseen: false },
    target: {
      collections: [staff, clients],
      collection: staff.name,
      record: staff.records[0] ?? '',
      field: 'salary',
      values: [4000],
      files: [],
    },
    make: async (owner, isFirst) => void (await accepted(owner.patch(path, isFirst ? one : other))),
  })
  return [
    ofField('the label of a hidden field', { label: 'Pay one' }, { label: 'Pay two' }),
    // The label changes in both worlds, so that the audit log has one entry in each.
    ofField('whether a hidden field is required', { label: 'Pay', required: false }, { label: 'Pay', required: true }),
    {
      name: 'a collection that is not theirs',
      grants: visible ? [visible] : [],
      place: { collection: clients.id, field: clients.fieldId('title'), isUnseen: true },
      target: {
        collections: [staff, clients],
        collection: clients.name,
        record: clients.records[0] ?? '',
        field: 'title',
        values: ['Open', 'Shut'],
        files: [],
      },
      make: async (owner, isFirst) => {
        await accepted(owner.patch(`/api/collections/${clients.name}`, { label: isFirst ? 'Customers' : 'Buyers' }))
        const values = { title: isFirst ? 'Open' : 'Shut' }
        await accepted(owner.patch(`/api/collections/${clients.name}/records/${clients.records[0]}`, { values }))
      },
    },
  ]
}

async function sendFile(owner: Caller, collection: string, name: string): Promise<string> {
  const raw = Buffer.from(`What ${name} says.`)
  const path = `/api/tus?${new URLSearchParams({ collection, field: 'docs' })}`
  const { headers } = await carriedOut(
    owner.request('POST', path, { raw, headers: sendingHeaders(name, raw.length, 'text/plain') }),
  )
  return String(headers['location']).split('/').at(-1) ?? ''
}

async function carriedOut(answer: Promise<Answer>): Promise<Answer> {
  const { status, text, ...rest } = await answer
  if (status >= 400) throw new Error(`The staged world could not be changed: ${text}`)
  return { status, text, ...rest }
}

export const accepted = async (answer: Promise<Answer>): Promise<Answer['body']> => (await carriedOut(answer)).body
