import { FIELD_KINDS, type FieldKind, isEntered } from '#domain/fields/field.ts'
import { TEST_PASSWORD } from '#tests/support/server/test-app.ts'
import { type Client, clientAt, demand, signIn } from '#tests/attack/workload/client.ts'
import { OWNER } from '#tests/attack/environments.ts'
import type { StartedServer } from '#tests/support/server/started-server.ts'

export type HostileClient = { readonly name: string; readonly token: string | undefined }

/** The tested collection; it has a field of every kind, named after it. */
export const CASES = '/api/collections/cases'

const CHOICES = { choices: [{ name: 'One' }, { name: 'Two' }] }
const OPTIONS: { readonly [Kind in FieldKind]?: object } = {
  select: CHOICES,
  'multi-select': CHOICES,
  state: CHOICES,
  relation: { collection: 'shelves', many: true },
  user: { many: true },
  formula: { formula: '1 + 1' },
}

/** Creates two collections, some records, and users of every role whose addresses start with `a`. */
export async function createFixtures({ ask }: Client): Promise<void> {
  const title = { label: 'Title', kind: 'text' }
  demand(await ask('POST', '/api/collections', { label: 'Shelves', fields: [title] }), 201)
  const fields = FIELD_KINDS.filter((kind) => isEntered({ kind })).map((kind) => ({
    name: fieldOf(kind),
    label: kind,
    kind,
    options: OPTIONS[kind] ?? {},
  }))
  demand(await ask('POST', '/api/collections', { label: 'Cases', fields: [title, ...fields] }), 201)
  for (const each of ['First', 'Second', 'Third'])
    demand(await ask('POST', `${CASES}/records`, { values: { title: each, number: 3, text: each } }), 201)
  await createUsers(ask, 'a')
}

async function createUsers(ask: Client['ask'], who: string): Promise<void> {
  for (const role of ROLES)
    demand(await ask('POST', '/api/users', { email: addressOf(who, role), name: role, roles: [role] }), 201)
  const { items } = demand(await ask('GET', '/api/outbox'), 200).body
  for (const role of ROLES) await accept(ask, items, { email: addressOf(who, role), name: role })
}

const addressOf = (who: string, role: string): string => `${who}-${role}@example.org`

/** The name of a kind's field, without a dash. */
const fieldOf = (kind: FieldKind): string => kind.replaceAll('-', '')

const ROLES = ['owner', 'editor', 'contributor', 'viewer'] as const

async function accept(
  ask: Client['ask'],
  letters: readonly { readonly to: string; readonly text: string }[],
  { email, name }: { readonly email: string; readonly name: string },
) {
  const letter = letters.find(({ to }) => to === email)
  const code = /code=([\w-]+)/.exec(letter?.text ?? '')?.[1] ?? ''
  demand(await ask('POST', '/api/invitations/accept', { code, name, password: TEST_PASSWORD }), 201)
}

async function guestsAt({ url }: Pick<StartedServer, 'url'>, who: string): Promise<readonly HostileClient[]> {
  const client = clientAt(url)
  const owner = client.as((await signIn(client, OWNER.email, OWNER.password)).token)
  const people = await Promise.all(
    ROLES.map(async (role) => ({
      name: role,
      token: (await signIn(client, addressOf(who, role), TEST_PASSWORD)).token,
    })),
  )
  const scopes = ['records:read', 'records:create', 'collections:manage']
  const { token } = demand(await owner.ask('POST', '/api/tokens', { name: 'A program', scopes }), 201).body
  return [...people, { name: 'a token', token }, { name: 'nobody', token: undefined }]
}

export async function hostileClientsAt(
  { url, command }: StartedServer,
  who: string,
): Promise<readonly HostileClient[]> {
  await command('owner:create', OWNER.email, '--password', OWNER.password)
  const client = clientAt(url)
  await createUsers(client.as((await signIn(client, OWNER.email, OWNER.password)).token).ask, who)
  return guestsAt({ url }, who)
}
