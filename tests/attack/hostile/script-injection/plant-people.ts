import { makeSoftwarePasskey } from '#tests/support/identity/software-authenticator.ts'
import { demand } from '#tests/attack/workload/client.ts'
import type { Kept, Planter } from './planter.ts'
import type { Planted } from './plant-definitions.ts'

const NOTES = '/api/workspace/profile-fields'

/** Email address prefix of the users invited in a round. */
export const invitedIn = (round: string): string => `invited${round}x`

/** Invites users named after the texts and sets their attributes; returns their IDs. */
export async function plantPeople({ client, put, round }: Planter): Promise<readonly string[]> {
  // Only fifty attributes are allowed; those of the previous round were already checked.
  demand(await client.ask('PUT', NOTES, { items: [] }), 200)
  await put('changeProfileFields.items.*.label', async (text, nth) => {
    const { items } = demand(await client.ask('GET', NOTES), 200).body
    return ['PUT', NOTES, { items: [...items, { name: `note${round}_${nth}`, label: text, many: false }] }]
  })
  const invited = await put('inviteUser.name', (text, nth) => [
    'POST',
    '/api/users',
    { email: `${invitedIn(round)}${nth}@example.org`, name: text, roles: ['viewer'] },
  ])
  for (const form of [(text: string) => `${text}@example.org`, (text: string) => `"${text}"@example.org`]) {
    await put('inviteUser.email', (text) => ['POST', '/api/users', { email: form(text), name: 'x', roles: ['viewer'] }])
  }
  return invited.map(({ id }) => id)
}

export async function plantNotes({ client, put, round }: Planter, ids: readonly string[]): Promise<void> {
  const { items } = demand(await client.ask('GET', NOTES), 200).body
  const name = `noted${round}`
  demand(await client.ask('PUT', NOTES, { items: [...items, { name, label: 'Noted', many: false }] }), 200)
  await put('changeUser.profile.*', (text, nth) => [
    'PATCH',
    `/api/users/${ids[nth % ids.length]}`,
    { profile: { [name]: text } },
  ])
}

/** The links that users invited in a round use to set a password. */
export async function invitationsOf({ client, round }: Planter): Promise<readonly string[]> {
  const { items } = demand(await client.ask('GET', '/api/outbox'), 200).body
  const own = items.filter(({ to }: Kept) => to.startsWith(invitedIn(round)))
  return own.flatMap(({ text }: Kept) => /\/invitation\?code=[\w-]+/.exec(text)?.[0] ?? [])
}

/** Roles and policies that contain the texts; returns one of each, and the policy's default values. */
export async function plantRights({ client, put }: Planter, { definition }: Planted) {
  const { id } = await definition()
  const policies = await put('createPolicy.name', (text) => ['POST', '/api/policies', { name: text, grants: [] }])
  const policyOf = (nth: number) => `/api/policies/${policies[nth % policies.length]?.id}`
  await put('changePolicy.about', (text, nth) => ['PATCH', policyOf(nth), { about: text }])
  await put('changePolicy.grants.*.where', (text, nth) => {
    const where = { field: 'text', op: '=', value: text }
    return ['PATCH', policyOf(nth), { grants: [{ permission: 'records:read', collection: id, where }] }]
  })
  await put('changePolicy.grants.*.presets.*', async (text, nth) => {
    const { grants } = demand(await client.ask('GET', policyOf(nth)), 200).body
    const grant = { permission: 'records:create', collection: id, presets: { text } }
    return ['PATCH', policyOf(nth), { grants: [...grants, grant] }]
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
  const cell = `/settings/roles/policies/${every[0]}?may=records:create&in=${id}`
  return { role: String(roles[0]?.id), policy: String(every[0]), cell }
}

export async function plantOwn({ client, put }: Planter): Promise<() => Promise<void>> {
  await put('changeProfile.name', (text) => ['PATCH', '/api/account/profile', { name: text }])
  await put('createToken.name', (text) => ['POST', '/api/tokens', { name: text, scopes: ['records:read'] }])
  const passkeys = await put('addPasskey.name', async (text) => {
    const options = demand(await client.ask('POST', '/api/account/factors/passkeys/options'), 200).body
    const response = makeSoftwarePasskey(client.url).register(options)
    return ['POST', '/api/account/factors/passkeys', { name: text, response }]
  })
  return async () => {
    for (const { id } of passkeys) demand(await client.ask('DELETE', `/api/account/factors/passkeys/${id}`), 204)
  }
}
