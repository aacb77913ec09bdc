import { readdirSync, readFileSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'
import { test } from '#tests/support/browser/browser-page.ts'
import { ADA, asProgram, WITH_ADA } from '#tests/support/browser/session-page.ts'

test.use({ serverSettings: WITH_ADA })

const NAME = 'explainedThings'
const LABEL = 'Explained things'

/** All German translations, by their English text. */
const GERMAN = new Map<string, unknown>(
  readdirSync('web/i18n/de').flatMap((file) => Object.entries(JSON.parse(readFileSync(`web/i18n/de/${file}`, 'utf8')))),
)

/** Settings without help text, with reasons. */
const PLAIN: ReadonlySet<string> = new Set([
  // The inputs of an example form a self-explanatory sentence.
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

/** Inputs that change a setting; excludes templates, which are chosen next to their preview. */
const INPUTS = ':is(input:not([type="hidden"], [type="search"], [type="file"], [name="template"]), textarea, select)'

/** Visible settings without help text. */
async function expectExplained(page: Page, say: Say, within = '[role="dialog"]'): Promise<void> {
  const plain = [...PLAIN].map(say)
  await expect(page.locator(within).locator('[data-setting]').first()).toBeVisible()
  const found = await page.locator(within).evaluate(
    (root, inputs) =>
      [...root.querySelectorAll<HTMLInputElement>(inputs)]
        // Inputs in table columns, explained by their headers.
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
  await page.getByRole('menuitem', { name: say('Edit details') }).click()
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

/** Asserts that help opens above its panel, and that Escape closes only the help. */
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

    test('every setting in a dialog has inline help', async ({ page }) => {
      test.setTimeout(180_000)
      const say: Say = (english) => {
        const said = locale === 'de' ? GERMAN.get(english) : english
        return typeof said === 'string' ? said : english
      }
      await signInAs(page, say)
      await test.step('every setting in rules and workflows has help', () => expectDefinitionsExplained(page, say))
      await test.step('every setting for permissions, tokens and users has help', () =>
        expectRightsExplained(page, say))
      await test.step('every setting for views, imports and account has help', () => expectListExplained(page, say))
      await test.step('every setting for list appearance and export has help', () => expectLookExplained(page, say))
      await test.step('every setting in dialogs for new items has help', () => expectBeginningsExplained(page, say))
    })
  })
}
