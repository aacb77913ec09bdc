import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { createIdGenerator } from '#domain/shared/ids.ts'
import { generateRecords } from '../../../bench/setup/generated-records.ts'
import { openDatabase } from '#server/platform/database/open-database.ts'
import { secret } from '#server/platform/config/setting-readers.ts'
import { foldEmail, prepareUser, storeUser } from '#server/identity/users/create-user.ts'
import { type Client, demand } from '#tests/attack/workload/client.ts'
import { type TestEnvironment, OWNER } from '#tests/attack/environments.ts'

/** The team's collection, named as the workers in other trials expect. */
export const CASES = '/api/collections/cases'

const STAGES = ['New', 'In work', 'Done']

const FIELDS = [
  { label: 'Title', kind: 'text', required: true, unique: true },
  { label: 'Size', kind: 'number' },
  { label: 'Batch', kind: 'text' },
  { label: 'Files', kind: 'files' },
  { label: 'Text', kind: 'long-text' },
  { label: 'Due', kind: 'date' },
  { label: 'Confidential', kind: 'checkbox' },
  { label: 'Stage', kind: 'state', options: { choices: STAGES.map((name) => ({ name })) } },
]

/** Creates the collection with its workflow, and imports a team's records. */
export async function createTeamData({ ask }: Client, count: number): Promise<void> {
  const { fields } = demand(await ask('POST', '/api/collections', { label: 'Cases', fields: FIELDS }), 201).body
  const stage = fields.find(({ kind }: { readonly kind: string }) => kind === 'state')
  const [fresh, busy, over] = stage.options.choices.map(({ id }: { readonly id: string }) => id)
  const transitions = [
    { name: 'Begin', from: fresh, to: busy },
    { name: 'Finish', from: busy, to: over },
  ]
  demand(await ask('PATCH', CASES, { workflow: { transitions, states: {} } }), 200)
  const { id } = demand(await ask('POST', `${CASES}/imports`, csvOf(count)), 202).body
  for (;;) {
    const { state, failure } = demand(await ask('GET', `${CASES}/imports/${id}`), 200).body
    if (state === 'done') return
    if (state !== 'running' && state !== 'ready') throw new Error(`The import is ${state}: ${failure}`)
    await pause(100)
  }
}

function csvOf(count: number): string {
  const lines = ['title,size,text,due,confidential,stage']
  for (const { title, body, amount, due, isDone, owner } of generateRecords(count)) {
    const stage = STAGES[owner % STAGES.length]
    lines.push(`${title} ${lines.length},${amount},${body},${due ?? ''},${isDone},${stage}`)
  }
  return `${lines.join('\n')}\n`
}

/**
 * Creates a role that can access all records except confidential ones, which are hidden from it; returns the role's ID.
 */
export async function makeRole({ ask }: Client): Promise<string> {
  const { id: collection } = demand(await ask('GET', CASES), 200).body
  const where = 'confidential != true'
  const fields = { except: ['confidential'] }
  const grants = [
    { permission: 'records:read', collection, where, fields },
    { permission: 'records:create', collection, fields },
    { permission: 'records:update', collection, where, fields },
    { permission: 'records:delete', collection, where },
    { permission: 'records:transition', collection, where },
  ]
  const policy = demand(await ask('POST', '/api/policies', { name: 'Casework', grants }), 201).body
  return demand(await ask('POST', '/api/roles', { name: 'Caseworker', policies: [policy.id] }), 201).body.id
}

const emailOf = (at: number): string => `member-${at}@example.org`

/** Creates `count` users with a role and returns their email addresses. The server must not be running. */
export async function makeMembers({ dataFolder, databaseUrl }: TestEnvironment, role: string, count: number) {
  const address = databaseUrl === undefined ? undefined : secret(databaseUrl)
  const database = await openDatabase({ dataFolder, databaseUrl: address }, { openedBy: 'command-line' })
  const deps = { clock: () => new Date(), newId: createIdGenerator(() => Date.now(), randomBytes) }
  try {
    // All users have the owner's password, so that it is hashed only once.
    const one = await prepareUser(deps, { email: emailOf(0), name: 'Member', password: OWNER.password, roles: [role] })
    const emails = Array.from({ length: count }, (_, at) => emailOf(at))
    await database.write(async (transaction) => {
      for (const email of emails)
        await storeUser(transaction, { ...one, id: deps.newId(), email, emailFold: foldEmail(email) })
    })
    return emails
  } finally {
    await database.close()
  }
}
