import { readdirSync, readFileSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'
import { test } from '#tests/support/browser/browser-page.ts'
import { ADA, asProgram, WITH_ADA } from '#tests/support/browser/session-page.ts'

test.use({ serverSettings: WITH_ADA, contextOptions: { reducedMotion: 'reduce' } })

const NAME = 'explainedThings'
const LABEL = 'Explained things'

/** Everything the interface says in German, by what it says in English. */
const GERMAN = new Map<string, unknown>(
  readdirSync('web/i18n/de').flatMap((file) => Object.entries(JSON.parse(readFileSync(`web/i18n/de/${file}`, 'utf8')))),
)

/** What needs no words of its own, and why. */
const PLAIN: ReadonlySet<string> = new Set([
  // An example is one sentence, explained where it begins.
  'What',
  'Where',
  'may',
  'may not',
])

type Say = (english: string) => string

test.beforeAll(async ({ server }) => {
  const { ask } = await asProgram(server.url, ADA)
  const states = { choices: [{ name: 'Draft' }, { name: 'Final' }] }
  const fields = [
    { label: 'Title', kind: 'text' },
    { label: 'State', kind: 'state', options: states },
    { label: 'Papers', kind: 'files' },
  ]
  await ask('POST', '/api/collections', { name: NAME, label: LABEL, fields })
  await ask('POST', `/api/collections/${NAME}/records`, { values: { title: 'First' } })
})

/** What sets something; a template is chosen beside what it would make. */
const INPUTS = ':is(input:not([type="hidden"], [type="search"], [type="file"], [name="template"]), textarea, select)'

/** Inputs of the dialog in sight that set something and do not say what they are. */
async function expectExplained(page: Page, say: Say, within = '[role="dialog"]'): Promise<void> {
  const plain = [...PLAIN].map(say)
  await expect(page.locator(within).locator('[data-setting]').first()).toBeVisible()
  const found = await page.locator(within).evaluate(
    (root, inputs) =>
      [...root.querySelectorAll<HTMLInputElement>(inputs)]
        // Of each column of a file, in a table whose heads say what they are.
        .filter((input) => input.getClientRects().length > 0 && input.closest('[data-setting], table') === null)
        .map((input) => input.getAttribute('aria-label') ?? input.labels?.[0]?.textContent ?? input.outerHTML),
    INPUTS,
  )
  expect(found.filter((label) => !plain.includes(label.replace(/\s*\*$/, '').trim()))).toEqual([])
}

async function signInAs(page: Page, say: Say): Promise<void> {
  await page.addInitScript(() => localStorage.setItem('dossier.tours', 'off'))
  await page.goto('/login')
  await page.getByLabel(say('Email'), { exact: true }).fill(ADA.email)
  await page.getByLabel(say('Password'), { exact: true }).fill(ADA.password)
  await page.getByRole('button', { name: say('Sign in'), exact: true }).click()
  await expect(page).not.toHaveURL(/login/)
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first().click()

async function leave(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

async function expectDefinitionsExplained(page: Page, say: Say): Promise<void> {
  await page.goto(`/collections/${NAME}/settings`)
  await press(page, say('Add a rule'))
  await expectExplained(page, say)
  await leave(page)
  const turnOn = page.getByRole('button', { name: say('Turn on'), exact: true })
  const addMove = page.getByRole('button', { name: say('Add transition'), exact: true })
  await expect(turnOn.or(addMove)).toBeVisible()
  if (await turnOn.isVisible()) await turnOn.click()
  await addMove.click()
  await expectExplained(page, say)
  await leave(page)
  await page
    .getByRole('list', { name: say('Statuses'), exact: true })
    .getByRole('button')
    .first()
    .click()
  await expectExplained(page, say)
  await leave(page)
}

async function expectRightsExplained(page: Page, say: Say): Promise<void> {
  await page.goto('/settings/roles')
  await press(page, say('New role'))
  await expectExplained(page, say)
  await leave(page)
  await page.goto('/settings/roles/editor')
  await page.locator('button.matrix-cell').first().click()
  await expectExplained(page, say)
  await leave(page)
  await page.goto('/settings/tokens')
  await press(page, say('New token'))
  await expectExplained(page, say)
  await page.goto('/settings/users')
  await press(page, say('Invite people'))
  await expectExplained(page, say)
}

async function expectListExplained(page: Page, say: Say): Promise<void> {
  await page.goto(`/collections/${NAME}?sort=title`)
  await press(page, say('New view'))
  await expectExplained(page, say)
  await leave(page)
  await page.goto('/import')
  const file = { name: 'things.csv', mimeType: 'text/csv', buffer: Buffer.from('Title\nOne\nTwo\n') }
  await page.locator('input[type="file"]').setInputFiles(file)
  await expect(page.locator('[data-setting="import-into"]')).toBeVisible()
  await expectExplained(page, say, '.plan-form')
  await page.goto('/account/profile')
  await expectExplained(page, say, '.account-form')
}

/** Opens what an item of a menu opens. */
async function chooseIn(page: Page, menu: string, item: string): Promise<void> {
  await page.getByRole('button', { name: menu, exact: true }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

async function expectLookExplained(page: Page, say: Say): Promise<void> {
  await page.goto(`/collections/${NAME}`)
  await press(page, say('Columns'))
  await expectExplained(page, say)
  await expectWords(page, say, 'list-columns')
  await leave(page)
  await press(page, say('Colors'))
  await press(page, say('Add a rule'))
  await expectExplained(page, say)
  await leave(page)
  await chooseIn(page, say('More actions for {label}').replace('{label}', LABEL), say('Export this list'))
  await expectExplained(page, say)
  await leave(page)
  await chooseIn(page, say('Actions for {label}').replace('{label}', LABEL), say('Move to group'))
  await page.getByRole('radio', { name: say('New group') }).check()
  await expectExplained(page, say)
  await leave(page)
  await page.keyboard.press('?')
  await page.getByRole('dialog').getByRole('switch').waitFor()
  await expectExplained(page, say)
}

/** The words of a setting open above the panel it stands in; Escape closes them, and not the panel. */
async function expectWords(page: Page, say: Say, setting: string): Promise<void> {
  const button = page.locator(`[data-setting="${setting}"]`).getByRole('button', { name: say('What is this?') })
  await button.click()
  const words = page.locator('.with-help-words')
  await expect(words).toBeVisible()
  await words.click()
  await expect(words).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(words).toBeHidden()
  await expect(button).toBeFocused()
}

async function expectBeginningsExplained(page: Page, say: Say): Promise<void> {
  await page.goto('/account/security')
  await press(page, say('Add a passkey'))
  await expectExplained(page, say)
  await page.goto('/')
  await press(page, say('New collection'))
  await expectExplained(page, say)
  await press(page, say('From template'))
  await page.getByLabel(say('Include sample data')).waitFor()
  await expectExplained(page, say)
}

for (const [language, locale] of [
  ['English', 'en'],
  ['German', 'de'],
] as const) {
  test.describe(language, () => {
    test.use({ locale })

    test('whatever can be set in a dialog says what it is, in place', async ({ page }) => {
      test.setTimeout(180_000)
      const say: Say = (english) => {
        const said = locale === 'de' ? GERMAN.get(english) : english
        return typeof said === 'string' ? said : english
      }
      await signInAs(page, say)
      await test.step('of rules and workflows', () => expectDefinitionsExplained(page, say))
      await test.step('of rights, tokens and people', () => expectRightsExplained(page, say))
      await test.step('of views, imports and oneself', () => expectListExplained(page, say))
      await test.step('of how a list looks and leaves', () => expectLookExplained(page, say))
      await test.step('of what is begun', () => expectBeginningsExplained(page, say))
    })
  })
}
