import { FIELD_KINDS, type FieldKind } from '#domain/fields/field.ts'
import { TEST_PASSWORD } from '../../support/test-app.ts'
import { type Client, clientAt, demand, signIn } from '../client.ts'
import { OWNER } from '../ground.ts'

/** Somebody who knocks; nobody has no token. */
export type Knocker = { readonly name: string; readonly token: string | undefined }

/** The collection everything is tried on; it has a field of every kind, named by it. */
export const CASES = '/api/collections/cases'

const CHOICES = { choices: [{ name: 'One' }, { name: 'Two' }] }
const OPTIONS: { readonly [Kind in FieldKind]?: object } = {
  select: CHOICES,
  'multi-select': CHOICES,
  state: CHOICES,
  relation: { collection: 'shelves', many: true },
  user: { many: true },
}

/** Lays what the trials need: two collections, some records, and people of every role. */
export async function layTheStage({ ask }: Client): Promise<void> {
  const title = { label: 'Title', kind: 'text' }
  demand(await ask('POST', '/api/collections', { label: 'Shelves', fields: [title] }), 201)
  const fields = FIELD_KINDS.map((kind) => ({ name: fieldOf(kind), label: kind, kind, options: OPTIONS[kind] ?? {} }))
  demand(await ask('POST', '/api/collections', { label: 'Cases', fields: [title, ...fields] }), 201)
  for (const each of ['First', 'Second', 'Third'])
    demand(await ask('POST', `${CASES}/records`, { values: { title: each, number: 3, text: each } }), 201)
  for (const role of ROLES)
    demand(await ask('POST', '/api/users', { email: `a-${role}@example.org`, name: role, roles: [role] }), 201)
  const { items } = demand(await ask('GET', '/api/outbox'), 200).body
  for (const role of ROLES) await accept(ask, items, role)
}

/** What the field of a kind is called: kinds with a dash have none in their name. */
const fieldOf = (kind: FieldKind): string => kind.replaceAll('-', '')

const ROLES = ['owner', 'editor', 'contributor', 'viewer'] as const

async function accept(
  ask: Client['ask'],
  letters: readonly { readonly to: string; readonly text: string }[],
  role: string,
) {
  const letter = letters.find(({ to }) => to === `a-${role}@example.org`)
  const code = /code=([\w-]+)/.exec(letter?.text ?? '')?.[1] ?? ''
  demand(await ask('POST', '/api/invitations/accept', { code, name: role, password: TEST_PASSWORD }), 201)
}

/** Everybody there is, freshly signed in; what one of them may have done to another counts for nothing any more. */
export async function knockersAt(url: string): Promise<readonly Knocker[]> {
  const client = clientAt(url)
  const people = await Promise.all(
    ROLES.map(async (role) => ({
      name: role,
      token: (await signIn(client, `a-${role}@example.org`, TEST_PASSWORD)).token,
    })),
  )
  const owner = client.as((await signIn(client, OWNER.email, OWNER.password)).token)
  const scopes = ['records:read', 'records:create', 'collections:manage']
  const { token } = demand(await owner.ask('POST', '/api/tokens', { name: 'A program', scopes }), 201).body
  return [...people, { name: 'a token', token }, { name: 'nobody', token: undefined }]
}
