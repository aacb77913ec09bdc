import { type Client, demand } from './client.ts'
import type { Worker, WorkContext } from './worker.ts'
import { REJECTED, type Thing } from './ledger.ts'

const DOCUMENTS = '/api/collections/papers'
const STATES = ['Draft', 'In review', 'Final'] as const

/** Creates the collection of documents with a workflow. */
export async function createPapersCollection({ ask }: Client): Promise<void> {
  const choices = STATES.map((name) => ({ name }))
  const fields = [
    { label: 'Title', kind: 'text', required: true },
    { label: 'Size', kind: 'number', options: { max: 1000 } },
    { label: 'Text', kind: 'rich-text' },
    { label: 'State', kind: 'state', options: { choices } },
  ]
  const { body } = demand(await ask('POST', '/api/collections', { label: 'Papers', fields }), 201)
  const ids = body.fields.find(({ kind }: { kind: string }) => kind === 'state').options.choices
  const [draft, review, final] = ids.map(({ id }: { id: string }) => id)
  const transitions = [
    { name: 'Submit', from: draft, to: review },
    { name: 'Send back', from: review, to: draft },
    { name: 'Publish', from: review, to: final },
  ]
  const states = { [final]: { frozen: 'all' } }
  demand(await ask('PATCH', DOCUMENTS, { workflow: { transitions, states } }), 200)
}

const documentOf = (words: string) => ({
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'text', text: words }] }],
})

type Paper = { readonly id: string; readonly about: Thing; readonly text: Thing }

/** Maps each status to the next one in the workflow. */
const LEADS_TO: { readonly [state: string]: string } = { Draft: 'In review', 'In review': 'Final' }

/** Creates documents, and moves them through their workflow. */
export function author({ ledger, draw }: WorkContext): Worker {
  let made = 0
  const open: Paper[] = []
  const look = async ({ ask }: Client, id: string) =>
    demand(await ask('GET', `${DOCUMENTS}/records/${id}`), 200).body.values
  const begin = async ({ ask }: Client): Promise<void> => {
    const title = `Paper ${(made += 1)}`
    const [state] = STATES
    const values = { title, state, text: documentOf(`version ${made}`) }
    const { id } = demand(await ask('POST', `${DOCUMENTS}/records`, { values }), 201).body
    const about: Thing = { name: `the state of “${title}”`, look: async (client) => (await look(client, id)).state }
    const text: Thing = {
      name: `the text of “${title}”`,
      look: async (client) => /version \d+/.exec(JSON.stringify((await look(client, id)).text))?.[0],
    }
    ledger.keep(about, state)
    ledger.keep(text, `version ${made}`)
    open.push({ id, about, text })
  }
  const write = async ({ ask }: Client, { id, text }: Paper): Promise<void> => {
    const after = `version ${(made += 1)}`
    await ledger.change(text, { after }, async () =>
      demand(await ask('PATCH', `${DOCUMENTS}/records/${id}`, { values: { text: documentOf(after) } }), 200),
    )
  }
  // An unanswered transition may have been applied, so the status read from the server is used, not the requested one.
  const nextOf = ({ about }: Paper): string | undefined => LEADS_TO[String(ledger.stateOf(about))]
  const move = async ({ ask }: Client, paper: Paper): Promise<void> => {
    const to = nextOf(paper)
    if (to === undefined) return void open.splice(open.indexOf(paper), 1)
    await ledger.change(paper.about, { after: to }, async () =>
      demand(await ask('POST', `${DOCUMENTS}/records/${paper.id}/transitions`, { to }), 200),
    )
  }
  return async (client) => {
    const drafts = open.filter((paper) => nextOf(paper) !== undefined)
    if (drafts.length < 3) return begin(client)
    return draw.chance(0.6) ? write(client, draw.one(drafts)) : move(client, draw.one(open))
  }
}

/** Attempts changes forbidden by validation rules, which must be rejected without side effects. */
export function breaker({ ledger, draw }: WorkContext): Worker {
  let made = 0
  const countOf = (title: string): Thing => ({
    name: `the forbidden record “${title}”`,
    look: async ({ ask }) => {
      const filter = encodeURIComponent(`title = "${title}"`)
      return demand(await ask('GET', `${DOCUMENTS}/records?count=exact&filter=${filter}`), 200).body.total
    },
  })
  return async ({ ask }) => {
    const title = `Forbidden ${(made += 1)}`
    const wrong = draw.one([
      { size: 1001 },
      { size: 'large' },
      { nothing: 1 },
      { state: 'Burnt' },
      { text: 'no document' },
    ])
    await ledger.change(countOf(title), { before: 0, after: 1 }, async () => {
      demand(await ask('POST', `${DOCUMENTS}/records`, { values: { title, ...wrong } }), 400, 409, 422)
      return REJECTED
    })
  }
}

/** An item in an API list; its state is whether it exists. */
const listed = (name: string, address: string, find: (item: Listed) => boolean): Thing => ({
  name,
  look: async ({ ask }) => demand(await ask('GET', address), 200).body.items.some(find),
})

type Listed = { readonly id: string; readonly name: string; readonly email?: string }

/** Saves and deletes views. */
export function viewer({ ledger, draw }: WorkContext): Worker {
  let made = 0
  const views: { readonly id: string; readonly thing: Thing }[] = []
  return async ({ ask }) => {
    if (views.length > 5 && draw.chance(0.5)) {
      const [view] = views.splice(0, 1)
      if (!view) return
      const { id, thing } = view
      await ledger.change(thing, { after: false }, async () =>
        demand(await ask('DELETE', `${DOCUMENTS}/views/${id}`), 204),
      )
      return
    }
    const name = `View ${(made += 1)}`
    const thing = listed(`the view “${name}”`, `${DOCUMENTS}/views`, (view) => view.name === name)
    await ledger.change(thing, { before: false, after: true }, async () => {
      const { id } = demand(await ask('POST', `${DOCUMENTS}/views`, { name, isShared: draw.chance(0.5) }), 201).body
      views.push({ id, thing })
    })
  }
}

/** Creates API tokens and revokes them. */
export function keyholder({ ledger, draw }: WorkContext): Worker {
  let made = 0
  const tokens: { readonly id: string; readonly thing: Thing }[] = []
  const opens = (token: string, number: number): Thing => ({
    name: `token ${number}`,
    look: async (client) => {
      const { status } = await client.as(token).ask('GET', `${DOCUMENTS}/records?perPage=1`)
      return status === 200 ? 'opens' : status === 401 ? 'ended' : status
    },
  })
  return async ({ ask }) => {
    if (tokens.length > 3 && draw.chance(0.5)) {
      const [token] = tokens.splice(0, 1)
      if (!token) return
      await ledger.change(token.thing, { after: 'ended' }, async () =>
        demand(await ask('DELETE', `/api/tokens/${token.id}`), 204),
      )
      return
    }
    const scopes = ['records:read']
    const { id, token } = demand(await ask('POST', '/api/tokens', { name: 'Script', scopes }), 201).body
    const thing = opens(token, (made += 1))
    ledger.keep(thing, 'opens')
    tokens.push({ id, thing })
  }
}

/** Maximum number of invitations; limited because each sends an email. */
const MAX_INVITED = 40

export function inviter({ ledger }: WorkContext): Worker {
  let made = 0
  return async ({ ask }) => {
    if (made === MAX_INVITED) return void (await ask('GET', '/api/users'))
    const email = `guest${(made += 1)}@example.org`
    const thing = listed(`the invitation of ${email}`, `/api/users?search=${email}`, (user) => user.email === email)
    await ledger.change(thing, { before: false, after: true }, async () =>
      demand(await ask('POST', '/api/users', { email, name: `Guest ${made}`, roles: ['editor'] }), 201),
    )
  }
}

/** Reports records that no client created. The ledger must contain each record by title or as part of a batch. */
export async function unexplainedRecords(
  { ask }: Client,
  isKnown: (thing: string) => boolean,
): Promise<readonly string[]> {
  const found: string[] = []
  const filter = encodeURIComponent('batch is empty')
  for (let cursor: string | null = ''; cursor !== null; ) {
    const place: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const address = `/api/collections/cases/records?perPage=500&filter=${filter}${place}`
    const { items, nextCursor } = demand(await ask('GET', address), 200).body
    for (const { values } of items) {
      const names = [`the record “${values.title}”`, `the files of “${values.title}”`]
      if (!names.some(isKnown)) found.push(`the record “${values.title}” exists, but no one created it`)
    }
    cursor = nextCursor ?? null
  }
  return found.slice(0, 20)
}
