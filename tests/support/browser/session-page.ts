import { expect, type Page, type Request } from '@playwright/test'
import type { StartedServer } from '#tests/support/server/started-server.ts'

export const ADA = { name: 'ada', email: 'ada@example.org', password: 'seven otters play the violin' }

export const GRACE = { name: 'grace', email: 'grace@example.org', password: 'nine herons read the paper' }

export type Person = typeof ADA

/** Server settings that create Ada as the first owner. */
export const WITH_ADA = {
  env: { DOSSIER_OWNER_EMAIL: ADA.email, DOSSIER_OWNER_PASSWORD: ADA.password, DOSSIER_SAMPLE: 'no' },
}

/** Makes Grace an owner if she isn't one yet. */
export const inviteGrace = (server: StartedServer): Promise<string> =>
  server.command('owner:create', GRACE.email, '--name', GRACE.name, '--password', GRACE.password)

export async function fillLogin(page: Page, { email, password }: Pick<Person, 'email' | 'password'>): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

export const accountOf = (page: Page, { name }: Person) => page.getByRole('button', { name: `account of ${name}` })

/** Signs in on the sign-in page. */
export async function signIn(page: Page, person: Person): Promise<void> {
  await page.addInitScript(() => localStorage.setItem('dossier.tours', 'off'))
  await page.goto('/login')
  await fillLogin(page, person)
  await expect(accountOf(page, person)).toBeVisible()
}

/** Signs out using the account menu. */
export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /account of/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page.getByText(/signed out/i).first()).toBeVisible()
}

/** Sends API requests as this user. */
export async function asProgram(url: string, { email, password }: Person) {
  const login = await send('POST', '/api/auth/login', { email, password, client: 'api' })
  async function send(method: string, path: string, body?: object, token?: string) {
    const isFile = body instanceof Blob
    const answer = await fetch(url + path, {
      method,
      headers: {
        ...(body && { 'content-type': isFile ? body.type : 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      ...(body && { body: isFile ? body : JSON.stringify(body) }),
    })
    const text = await answer.text()
    // A duplicate collection name, which can occur because tests share a server.
    if (method === 'POST' && path === '/api/collections' && answer.status === 409) throw new Error(text)
    // The tests assert the response format.
    return (text === '' ? {} : JSON.parse(text)) as { readonly [name: string]: unknown }
  }
  const token = String(login['token'])
  return {
    token,
    ask: (method: string, path: string, body?: object) => send(method, path, body, token),
    endAllSessions: () => send('POST', '/api/auth/logout', { scope: 'all' }, token),
  }
}

/** An API client that acts as a user. */
export type Ask = Awaited<ReturnType<typeof asProgram>>['ask']

/** Invites a user with a role, or assigns the role to an existing user; returns the user's ID. */
export async function acceptInvitation(ask: Ask, { email, name, password }: Person, role: string): Promise<string> {
  const people = (await ask('GET', `/api/users?search=${encodeURIComponent(email)}`)) as {
    readonly items: readonly { readonly id: string; readonly email: string }[]
  }
  const known = people.items.find((person) => person.email === email)
  if (known) {
    await ask('PATCH', `/api/users/${known.id}`, { roles: [role] })
    return known.id
  }
  const invited = await ask('POST', '/api/users', { email, name, roles: [role] })
  if (typeof invited['id'] !== 'string') throw new Error(`Nobody was invited: ${JSON.stringify(invited)}`)
  let code = ''
  await expect(async () => {
    const { items } = (await ask('GET', '/api/outbox')) as {
      items: { readonly to: string; readonly text: string }[]
    }
    code = /code=([\w-]+)/.exec(items.find(({ to }) => to === email)?.text ?? '')?.[1] ?? ''
    expect(code).not.toBe('')
  }).toPass()
  await ask('POST', '/api/invitations/accept', { code, name, password })
  return invited['id']
}

/** Creates a collection with one record that has an editable title; returns the URLs of its page and API endpoint. */
export async function makeRecord(url: string, name: string): Promise<{ readonly page: string; readonly api: string }> {
  const { ask } = await asProgram(url, ADA)
  const fields = [{ name: 'title', label: 'Title', kind: 'text' }]
  await ask('POST', '/api/collections', { name, label: name, fields })
  const made = await ask('POST', `/api/collections/${name}/records`, { values: { title: 'As it was' } })
  const id = String(made['id'])
  return { page: `/collections/${name}/${id}`, api: `/api/collections/${name}/records/${id}` }
}

/** Records all API requests that a page sends. */
export function noteRequests(page: Page): { readonly all: Request[]; readonly to: (path: string) => Request[] } {
  const all: Request[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith('/api/')) all.push(request)
  })
  return { all, to: (path) => all.filter((request) => new URL(request.url()).pathname === path) }
}
