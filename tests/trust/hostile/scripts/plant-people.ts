import { makeSoftwarePasskey } from '../../../support/software-authenticator.ts'
import { demand } from '../../client.ts'
import type { Kept, Planter } from './planter.ts'
import type { Planted } from './plant-definitions.ts'

/** Invites people called by the texts, and notes the texts about them; answers their ids. */
export async function plantPeople({ client, put, round }: Planter): Promise<readonly string[]> {
  const notes = '/api/workspace/profile-fields'
  await put('changeProfileFields.items.*.label', async (text, nth) => {
    const { items } = demand(await client.ask('GET', notes), 200).body
    return ['PUT', notes, { items: [...items, { name: `note${round}_${nth}`, label: text, many: false }] }]
  })
  const invited = await put('inviteUser.name', (text, nth) => [
    'POST',
    '/api/users',
    { email: `invited${round}x${nth}@example.org`, name: text, roles: ['viewer'] },
  ])
  for (const form of [(text: string) => `${text}@example.org`, (text: string) => `"${text}"@example.org`]) {
    await put('inviteUser.email', (text) => ['POST', '/api/users', { email: form(text), name: 'x', roles: ['viewer'] }])
  }
  const ids: readonly string[] = invited.map(({ id }) => id)
  const { items } = demand(await client.ask('GET', notes), 200).body
  const note = items.at(-1)?.name ?? `note${round}_0`
  await put('changeUser.profile.*', (text, nth) => [
    'PATCH',
    `/api/users/${ids[nth % ids.length]}`,
    { profile: { [note]: text } },
  ])
  return ids
}

/** Roles and policies that say the texts; answers one of each. */
export async function plantRights({ put }: Planter, { definition }: Planted) {
  const { id } = await definition()
  const policies = await put('createPolicy.name', (text) => ['POST', '/api/policies', { name: text, grants: [] }])
  const policyOf = (nth: number) => `/api/policies/${policies[nth % policies.length]?.id}`
  await put('changePolicy.about', (text, nth) => ['PATCH', policyOf(nth), { about: text }])
  await put('changePolicy.grants.*.where', (text, nth) => {
    const where = { field: 'text', op: '=', value: text }
    return ['PATCH', policyOf(nth), { grants: [{ permission: 'records:read', collection: id, where }] }]
  })
  await put('changePolicy.grants.*.presets.*', (text, nth) => {
    const grant = { permission: 'records:create', collection: id, presets: { text } }
    return ['PATCH', policyOf(nth), { grants: [grant] }]
  })
  const every = policies.map((policy: Kept) => policy.id)
  const roles = await put('createRole.name', (text) => [
    'POST',
    '/api/roles',
    { name: text, policies: every.slice(0, 3) },
  ])
  await put('changeRole.about', (text, nth) => [
    'PATCH',
    `/api/roles/${roles[nth % roles.length]?.id}`,
    { about: text },
  ])
  return { role: String(roles[0]?.id), policy: String(every[0]) }
}

/** What is one's own: a name, tokens and passkeys called by the texts. Whoever plants it is whoever looks. */
export async function plantOwn({ client, put }: Planter): Promise<void> {
  await put('changeProfile.name', (text) => ['PATCH', '/api/account/profile', { name: text }])
  await put('createToken.name', (text) => ['POST', '/api/tokens', { name: text, scopes: ['records:read'] }])
  await put('addPasskey.name', async (text) => {
    const options = demand(await client.ask('POST', '/api/account/factors/passkeys/options'), 200).body
    const response = makeSoftwarePasskey(client.url).register(options)
    return ['POST', '/api/account/factors/passkeys', { name: text, response }]
  })
}

/** Many records at once, and tables whose name, heads and cells are the texts; one that is taken, and one whose rows are refused. */
export async function plantImports({ client, put }: Planter, { at }: Planted): Promise<void> {
  const cell = (text: string): string => `"${text.replaceAll('"', '""')}"`
  await put('cell of an import', (text, nth) => [
    'POST',
    `${at}/imports?name=import${nth}.csv`,
    `title,text,number\n${cell(text)},${cell(text)},1\n`,
  ])
  await put('name of an import', (text, nth) => [
    'POST',
    `${at}/imports?onBadRow=skip&name=${encodeURIComponent(text.toWellFormed())}`,
    `title,number\nimport ${nth},none\n`,
  ])
  await put('head of an import', (text) => [
    'POST',
    '/api/imports?name=heads.csv',
    `${cell(text)},${cell(`${text} 2`)}\nx,y\n`,
  ])
  const columns = { onBadRow: 'skip', hasHeader: true }
  const begun = () => client.ask('POST', '/api/imports?name=new.csv', 'a\nx\n')
  const start = async (label: string, newField: object): Promise<[string, string, object]> => {
    const { id } = demand(await begun(), 201).body
    const body = {
      ...columns,
      into: { newCollection: { label } },
      columns: [{ newField: { kind: 'text', ...newField } }],
    }
    return ['POST', `/api/imports/${id}/start`, body]
  }
  await put('startImport.into.newCollection.label', (text) => start(text, { label: 'A' }))
  await put('startImport.columns.*.newField.label', (text) => start('Imported', { label: text }))
  await put('startImport.columns.*.newField.default', (text) => start('Imported', { label: 'A', default: text }))
  const bulk = { where: { filter: 'title = "x"' } }
  await put('bulkChange.update.values.*', (text) => [
    'POST',
    `${at}/records/bulk`,
    { ...bulk, update: { values: { text } } },
  ])
  await put('bulkChange.create.*.values.*', (text) => [
    'POST',
    `${at}/records/bulk`,
    { create: [{ values: { title: text } }] },
  ])
  await put('bulkChange.transition.note', (text) => [
    'POST',
    `${at}/records/bulk`,
    { ...bulk, transition: { to: 'Two', note: text } },
  ])
}
