import { expect, type Page, type Route } from '@playwright/test'
import { test } from '#tests/support/browser/browser-page.ts'
import { ADA, asProgram, signIn, WITH_ADA } from '#tests/support/browser/session-page.ts'

test.use({ serverSettings: WITH_ADA, provokes: 'refusals' })
test.use({ locale: 'en-US' })
test.setTimeout(180_000)

/** A page and the API request it depends on. */
type Place = { readonly path: string; readonly asks: RegExp }

type Trouble = { readonly title: string; readonly answer: (route: Route) => Promise<void> }

const problem =
  (status: number, code: string, detail: string) =>
  (route: Route): Promise<void> =>
    route.fulfill({
      status,
      contentType: 'application/problem+json',
      body: JSON.stringify({ type: 'about:blank', code, title: code, status, detail }),
    })

/** Permanent errors, shown immediately. */
const REFUSALS: readonly Trouble[] = [
  {
    title: 'You don’t have permission to do this',
    answer: problem(403, 'forbidden', 'Ask an owner of this workspace for access'),
  },
  { title: 'Not found', answer: problem(404, 'not-found', 'It was removed.') },
]

/** Temporary errors, shown after automatic retries. */
const FAILING: Trouble = {
  title: 'Server error',
  answer: problem(500, 'internal-error', 'Nothing was changed.'),
}
const AWAY: Trouble = { title: 'Can’t reach the server', answer: (route) => route.abort() }

const FRAME = /^\/api\/collections$/

async function placesOf(url: string): Promise<readonly Place[]> {
  const { ask } = await asProgram(url, ADA)
  await ask('POST', '/api/collections', { label: 'Faults', fields: [{ label: 'Title', kind: 'text' }] })
  const made = await ask('POST', '/api/collections/faults/records', { values: { title: 'Loose screw' } })
  return [
    { path: '/', asks: FRAME },
    { path: '/account/security', asks: /^\/api\/account\/factors/ },
    { path: '/account/sessions', asks: /^\/api\/account\/sessions/ },
    { path: '/settings/tokens', asks: /^\/api\/tokens/ },
    { path: '/settings/users', asks: /^\/api\/users/ },
    { path: '/settings/roles', asks: /^\/api\/roles/ },
    { path: '/settings/roles/editor', asks: /^\/api\/roles/ },
    { path: '/settings/roles/policies/editor', asks: /^\/api\/policies/ },
    { path: '/settings/outbox', asks: /^\/api\/outbox/ },
    { path: '/settings/audit', asks: /^\/api\/audit/ },
    { path: '/api/docs', asks: /^\/api\/openapi/ },
    { path: '/collections/faults', asks: FRAME },
    { path: '/collections/faults?view=none-such', asks: /^\/api\/collections\/[^/]+\/views/ },
    { path: '/collections/faults', asks: /^\/api\/collections\/[^/]+\/records/ },
    { path: '/collections/faults/settings', asks: FRAME },
    { path: `/collections/faults/${String(made['id'])}`, asks: FRAME },
  ]
}

/** Opens a failing page, checks the message, and retries successfully. */
async function live(page: Page, { path, asks }: Place, { title, answer }: Trouble): Promise<void> {
  let isWell = false
  const isRequested = (url: URL) => asks.test(url.pathname)
  await page.route(isRequested, (route) => (isWell ? route.fallback() : answer(route)))
  await page.goto(path)
  await page.clock.install()
  const main = page.getByRole('main')
  const notice = main.getByRole('alert').filter({ hasText: title })
  await expect(async () => {
    // Automatic retries start after a few seconds.
    await page.clock.runFor(5000)
    await expect(notice.first(), `${path} ${title}`).toBeVisible({ timeout: 500 })
  }).toPass({ timeout: 40_000 })
  await expect(main.getByRole('heading', { level: 1 })).toHaveCount(1)
  const again = notice.getByRole('button', { name: 'Try again' })
  await expect(again.first()).toBeVisible()
  isWell = true
  // Some pages retry automatically before the test clicks the button.
  await expect(async () => {
    if ((await again.count()) > 0) await again.first().click({ timeout: 1000 })
    await expect(notice, `${path} after ${title}`).toHaveCount(0, { timeout: 1000 })
  }).toPass({ timeout: 20_000 })
  // Removing a route while its request is being handled could leave the page waiting.
  await expect(main.getByRole('heading', { level: 1 })).toHaveCount(1)
  await page.unrouteAll({ behavior: 'wait' })
}

async function liveAll(page: Page, places: readonly Place[], troubles: readonly Trouble[]): Promise<void> {
  for (const trouble of troubles) for (const place of places) await live(page, place, trouble)
}

test('a rejected request shows a one-sentence explanation and can be retried', async ({ page, server }) => {
  await signIn(page, ADA)
  await liveAll(page, await placesOf(server.url), REFUSALS)
})

test('a server error shows a message and can be retried', async ({ page, server }) => {
  await signIn(page, ADA)
  await liveAll(page, await placesOf(server.url), [FAILING])
})

test('an unreachable server shows a message and can be retried', async ({ page, server }) => {
  await signIn(page, ADA)
  // All pages share the timeout handling, so not all are tested here; the tests above check the error message on every
  // page.
  const chief = (await placesOf(server.url)).filter(({ asks }) => asks === FRAME)
  await liveAll(page, chief, [AWAY])
})
