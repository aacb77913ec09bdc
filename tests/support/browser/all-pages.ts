import { readFileSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'
import { SESSION } from '#domain/specification.ts'
import { ADA, type Ask, asProgram } from './session-page.ts'

/** Settings for a server with an owner and the sample workspace, so that pages have content. */
export const WITH_SAMPLE = {
  env: { DOSSIER_OWNER_EMAIL: ADA.email, DOSSIER_OWNER_PASSWORD: ADA.password, DOSSIER_SAMPLE: 'yes' },
}

/** A page: its path in the router and a URL to open it. */
export type Visit = { readonly route: string; readonly name: string; readonly path: string }

const { login, home, logout, callback } = SESSION.routes

/** Pages for users who aren't signed in. */
export const SIGNED_OUT: readonly Visit[] = [
  { route: login, name: 'login', path: login },
  { route: '/setup', name: 'setup', path: '/setup?code=not-a-code' },
  { route: '/forgot-password', name: 'forgot-password', path: '/forgot-password' },
  { route: '/reset-password', name: 'reset-password', path: '/reset-password?code=not-a-code' },
  { route: '/invitation', name: 'invitation', path: '/invitation?code=not-a-code' },
  { route: logout, name: 'logout', path: logout },
  { route: callback, name: 'callback', path: `${callback}?error=access_denied` },
]

type Items = { readonly items?: readonly { readonly [name: string]: unknown }[] }

/** Pages for signed-in users, returned once the server has loaded the sample workspace. */
export async function signedInVisits(url: string): Promise<readonly Visit[]> {
  const { ask } = await asProgram(url, ADA)
  await expect(async () => {
    const sample = await ask('GET', '/api/sample')
    expect(sample['state']).toBe('done')
  }).toPass({ timeout: 60_000 })
  return visitsOf(ask)
}

/** IDs and names used in page URLs. */
export type PagesOf = {
  readonly collection: string
  readonly record: string
  readonly role: string
  readonly policy: string
  readonly dashboard?: string
}

/** Pages for signed-in users, with URLs for the data on this server. */
export async function visitsOf(ask: Ask): Promise<readonly Visit[]> {
  const first = async (path: string) => ((await ask('GET', path)) as Items).items?.[0] ?? {}
  const collection = String((await first('/api/collections'))['name'])
  return pagesOf({
    collection,
    record: String((await first(`/api/collections/${collection}/records?perPage=1`))['id']),
    role: String((await first('/api/roles'))['id']),
    policy: String((await first('/api/policies'))['id']),
    dashboard: String((await first('/api/dashboards'))['id'] ?? (await makeDashboard(ask, collection))),
  })
}

/** A dashboard with a chart and a list. */
async function makeDashboard(ask: Ask, collection: string): Promise<unknown> {
  const views: object[] = []
  for (const display of [{ kind: 'chart', options: { by: 'createdAt' } }, { kind: 'grid' }]) {
    const view = { name: `As a ${display.kind}`, isShared: true, display }
    views.push({ view: (await ask('POST', `/api/collections/${collection}/views`, view))['id'] })
  }
  return (await ask('POST', '/api/dashboards', { name: 'Overview', items: views }))['id']
}

/** Pages with URLs for one collection, record, role and policy. */
export function pagesOf({ collection, record, role, policy, dashboard }: PagesOf): readonly Visit[] {
  const plain = (path: string): Visit => ({ route: path, name: path.slice(1).replaceAll('/', '-'), path })
  return [
    ...[
      '/import',
      '/activity',
      '/trash',
      '/account/profile',
      '/account/security',
      '/account/sessions',
      '/settings/tokens',
      '/api/docs',
    ].map(plain),
    ...['workspace', 'users', 'roles', 'outbox', 'audit'].map((name) => plain(`/settings/${name}`)),
    { route: '/settings/roles/$role', name: 'role', path: `/settings/roles/${role}` },
    { route: '/settings/roles/policies/$policy', name: 'policy', path: `/settings/roles/policies/${policy}` },
    { route: '/collections/$collection', name: 'records', path: `/collections/${collection}` },
    {
      route: '/collections/$collection',
      name: 'record-beside',
      path: `/collections/${collection}?open=${record}&at=0`,
    },
    {
      route: '/collections/$collection/settings',
      name: 'collection-settings',
      path: `/collections/${collection}/settings`,
    },
    { route: '/collections/$collection/$record', name: 'record', path: `/collections/${collection}/${record}` },
    ...(dashboard === undefined
      ? []
      : [{ route: '/dashboards/$dashboard', name: 'dashboard', path: `/dashboards/${dashboard}` }]),
    // Visited after the record page, so that it lists a recently opened record.
    { route: home, name: 'home', path: home },
    { route: 'nowhere', name: 'not-found', path: '/nowhere/at/all' },
  ]
}

/** All paths in the router's source code, so that a test fails for new routes that aren't visited. */
export function routesOfRouter(): readonly string[] {
  const source = readFileSync(new URL('../../../web/app/router.tsx', import.meta.url), 'utf8')
  return [...source.matchAll(/(?:path: |guest\(|guarded\()(?:'([^']+)'|sessionConfig\.routes\.(\w+))/g)].map(
    ([, path, name]) => {
      if (path !== undefined) return path
      const known = Object.entries(SESSION.routes).find(([route]) => route === name)
      return known?.[1] ?? ''
    },
  )
}

/** Opens a page and waits until its heading is visible and its requests have finished. */
export async function visit(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
  await page.waitForLoadState('networkidle')
  await expect(page.locator('[aria-busy="true"], .mantine-Skeleton-root')).toHaveCount(0)
}
