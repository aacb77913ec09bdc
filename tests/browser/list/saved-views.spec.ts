import { expect, type Page } from '@playwright/test'
import { axeFindings } from '#tests/support/browser/axe-findings.ts'
import { test } from '#tests/support/browser/browser-page.ts'
import { ADA, asProgram, GRACE, inviteGrace, signIn, WITH_ADA } from '#tests/support/browser/session-page.ts'

test.use({ serverSettings: WITH_ADA })

/** A collection of tasks, two of them open. */
async function makeTasks(url: string, label: string): Promise<void> {
  const { ask } = await asProgram(url, ADA)
  const fields = [
    { label: 'Title', kind: 'text' },
    { label: 'Status', kind: 'select', options: { choices: [{ name: 'open' }, { name: 'done' }] } },
    { label: 'Amount', kind: 'number' },
  ]
  await ask('POST', '/api/collections', { label, name: label.toLowerCase(), fields })
  for (const [title, status, amount] of [
    ['Roof', 'open', 30],
    ['Attic', 'open', 10],
    ['Well', 'done', 20],
  ]) {
    await ask('POST', `/api/collections/${label.toLowerCase()}/records`, { values: { title, status, amount } })
  }
}

const views = (page: Page) => page.getByRole('navigation', { name: 'Views' })
const tab = (page: Page, name: string) => views(page).getByRole('link', { name })
const titles = (page: Page) => page.getByRole('grid').getByRole('link')
const menuOf = (page: Page, name: string) => page.getByRole('button', { name: `More actions for view ${name}` })
const inMenu = (page: Page, name: string) => page.getByRole('menuitem', { name })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

async function saveAs(page: Page, name: string, options: { readonly isShared?: boolean } = {}): Promise<void> {
  await page.getByRole('button', { name: /^(?:Save as new|New) view/ }).click()
  const dialog = page.getByRole('dialog', { name: 'New view' })
  await dialog.getByLabel('Name').fill(name)
  if (options.isShared) await dialog.getByRole('checkbox', { name: /Share with everyone/ }).check()
  await dialog.getByRole('button', { name: 'Save view' }).click()
  await expect(tab(page, name)).toHaveAttribute('aria-current', 'page')
}

const OPEN_ONES = `?filter=${encodeURIComponent('status = "open"')}&sort=amount`

test('a list is saved as a view, and the URL contains any unsaved changes', async ({ page, server }) => {
  await makeTasks(server.url, 'Jobs')
  await signIn(page, ADA)
  await page.goto(`/collections/jobs${OPEN_ONES}`)
  await expect(titles(page)).toHaveText(['Attic', 'Roof'])

  await test.step('after saving, the view is active and has a short URL', async () => {
    await saveAs(page, 'Open ones')
    await expect(page).toHaveURL(/\/collections\/jobs\?view=[0-9a-z]{26}$/)
    await expect(page).toHaveTitle(/Open ones/)
    await page.reload()
    await expect(titles(page)).toHaveText(['Attic', 'Roof'])
    await expect(button(page, 'Save')).toBeHidden()
  })

  await test.step('unsaved changes are in the URL and can be discarded', async () => {
    await page.getByRole('columnheader', { name: /^Amount/ }).click()
    await expect(titles(page)).toHaveText(['Roof', 'Attic'])
    await expect(page).toHaveURL(/view=[0-9a-z]{26}&sort=-amount$/)
    await expect(button(page, 'Save')).toBeVisible()
    await button(page, 'Discard changes').click()
    await expect(titles(page)).toHaveText(['Attic', 'Roof'])
    await expect(page).toHaveURL(/view=[0-9a-z]{26}$/)
  })

  await test.step('back and forward restore the previous view', async () => {
    await page.goBack()
    await expect(titles(page)).toHaveText(['Roof', 'Attic'])
    await tab(page, 'All records').click()
    await expect(titles(page)).toHaveCount(3)
    await page.goBack()
    await expect(titles(page)).toHaveText(['Roof', 'Attic'])
    await page.goForward()
    await expect(titles(page)).toHaveCount(3)
    await page.goBack()
  })

  await test.step('after saving to the view, there are no unsaved changes', async () => {
    await button(page, 'Save').click()
    await expect(page).toHaveURL(/view=[0-9a-z]{26}$/)
    await expect(button(page, 'Save')).toBeHidden()
    await page.reload()
    await expect(titles(page)).toHaveText(['Roof', 'Attic'])
  })

  await test.step('hidden columns are saved in the view', async () => {
    const header = page.getByRole('columnheader', { name: /^Amount/ })
    await button(page, 'Columns').click()
    await page.getByRole('dialog', { name: 'Columns' }).getByRole('checkbox', { name: 'Amount' }).uncheck()
    await page.keyboard.press('Escape')
    await expect(header).toHaveCount(0)
    await button(page, 'Save').click()
    await expect(button(page, 'Save')).toBeHidden()
    await tab(page, 'All records').click()
    await expect(header).toHaveCount(1)
    await tab(page, 'Open ones').click()
    await expect(header).toHaveCount(0)
  })

  await test.step('records are put in a manual order with the keyboard and the mouse, and put back', async () => {
    await tab(page, 'All records').click()
    await saveAs(page, 'By hand')
    await button(page, 'Sort').click()
    const sorting = page.getByRole('dialog', { name: 'Sort' })
    await sorting.getByRole('combobox', { name: 'Sort by' }).click()
    await page.getByRole('option', { name: 'Manual order' }).click()
    await expect(sorting.getByText('Drag records (in a grid, by their number)')).toBeVisible()
    await page.keyboard.press('Escape')
    await button(page, 'Save').click()
    await expect(titles(page)).toHaveText(['Roof', 'Attic', 'Well'])

    await page.getByRole('rowheader', { name: 'Well' }).click()
    await page.keyboard.press('Alt+ArrowUp')
    await expect(titles(page)).toHaveText(['Roof', 'Well', 'Attic'])
    await expect(page.getByText('Well moved before Attic')).toBeAttached()
    const numberOf = (title: string) => page.getByRole('row').filter({ hasText: title }).locator('[data-select="row"]')
    const [from, to] = [await numberOf('Attic').boundingBox(), await numberOf('Roof').boundingBox()]
    await page.mouse.move((from?.x ?? 0) + 12, (from?.y ?? 0) + 12)
    await page.mouse.down()
    await page.mouse.move((to?.x ?? 0) + 12, (to?.y ?? 0) + 12, { steps: 5 })
    await page.mouse.move((to?.x ?? 0) + 12, (to?.y ?? 0) + 4)
    await expect(page.locator('.grid-drop-line')).toBeVisible()
    await page.mouse.up()
    await expect(titles(page)).toHaveText(['Attic', 'Roof', 'Well'])
    await page.getByRole('rowheader', { name: 'Roof' }).click()
    await page.keyboard.press('Control+z')
    await expect(titles(page)).toHaveText(['Roof', 'Well', 'Attic'])
    await page.keyboard.press('Control+z')
    await expect(titles(page)).toHaveText(['Roof', 'Attic', 'Well'])
  })

  for (const layout of ['Gallery', 'List']) {
    await test.step(`the order is changed in a ${layout.toLowerCase()} as well`, async () => {
      await page.getByRole('button', { name: /^Layout/ }).click()
      await page.getByRole('dialog', { name: 'Layout' }).getByRole('radio', { name: layout }).press('Space')
      const cards = page.getByRole('list', { name: 'Jobs' }).getByRole('link')
      const card = (title: string) => cards.filter({ hasText: title })
      await expect(cards).toHaveText(['Roof', 'Attic', 'Well'])
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog', { name: 'Layout' })).toBeHidden()
      await card('Well').press('Alt+ArrowUp')
      await expect(cards).toHaveText(['Roof', 'Well', 'Attic'])
      await expect(card('Well')).toBeFocused()
      const [from, to] = [await card('Attic').boundingBox(), await card('Roof').boundingBox()]
      await page.mouse.move((from?.x ?? 0) + 20, (from?.y ?? 0) + 10)
      await page.mouse.down()
      await page.mouse.move((to?.x ?? 0) + 20, (to?.y ?? 0) + 10, { steps: 5 })
      await page.mouse.move((to?.x ?? 0) + 20, (to?.y ?? 0) + 2)
      await expect(page.locator('.card-drop-line')).toBeVisible()
      await page.mouse.up()
      await expect(cards).toHaveText(['Attic', 'Roof', 'Well'])
      await expect(card('Attic')).toBeFocused()
      await page.keyboard.press('Control+z')
      await expect(cards).toHaveText(['Roof', 'Well', 'Attic'])
      await page.keyboard.press('Control+z')
      await expect(cards).toHaveText(['Roof', 'Attic', 'Well'])
    })
  }
  await tab(page, 'Open ones').click()

  await test.step('a view saved as a gallery shows its records as cards', async () => {
    await button(page, 'Layout').click()
    const layout = page.getByRole('dialog', { name: 'Layout' })
    await layout.getByRole('radio', { name: 'Gallery' }).press('Space')
    await layout.getByRole('radio', { name: '2', exact: true }).press('Space')
    await page.keyboard.press('Escape')
    const card = page.getByRole('listitem').filter({ hasText: 'Roof' }).last()
    await expect(card).toBeVisible()
    await card.getByRole('link').focus()
    await page.keyboard.press('ArrowRight')
    await expect(page.getByRole('link', { name: 'Attic' })).toBeFocused()
    await button(page, 'Save').click()
    await expect(button(page, 'Save')).toBeHidden()
    await tab(page, 'All records').click()
    await expect(page.getByRole('grid')).toBeVisible()
    await tab(page, 'Open ones').click()
    await expect(card).toBeVisible()
    await expect(page.getByRole('grid')).toHaveCount(0)
    await button(page, 'Layout Gallery').click()
    await layout.getByRole('radio', { name: 'Grid' }).press('Space')
    await page.keyboard.press('Escape')
    await button(page, 'Save').click()
    await expect(button(page, 'Save')).toBeHidden()
  })

  await test.step('a removed filter is also an unsaved change', async () => {
    await page.goto(`${page.url()}&filter=`)
    await expect(titles(page)).toHaveText(['Roof', 'Well', 'Attic'])
    await button(page, 'Discard changes').click()
    await expect(titles(page)).toHaveText(['Roof', 'Attic'])
  })
})

test('views are renamed, reordered, set as default and deleted after confirmation', async ({ page, server }) => {
  await makeTasks(server.url, 'Chores')
  await signIn(page, ADA)
  await page.goto('/collections/chores?sort=-amount')
  await saveAs(page, 'Dear')
  await tab(page, 'All records').click()
  await saveAs(page, 'Plain')

  await test.step('a view is renamed and duplicated, and both are reordered', async () => {
    await menuOf(page, 'Plain').click()
    await inMenu(page, 'Rename').click()
    const dialog = page.getByRole('dialog', { name: 'Rename view' })
    await expect(dialog.getByLabel('Name')).toHaveValue('Plain')
    await dialog.getByLabel('Name').fill('Simple')
    await page.keyboard.press('Enter')
    await expect(tab(page, 'Simple')).toBeVisible()
    await menuOf(page, 'Simple').click()
    await inMenu(page, 'Move earlier').click()
    await expect(views(page).getByRole('link')).toHaveText([/All records/, /Simple/, /Dear/])
    await menuOf(page, 'Simple').click()
    await inMenu(page, 'Duplicate').click()
    await expect(tab(page, 'Simple 2')).toHaveAttribute('aria-current', 'page')
  })

  await test.step('the default view opens first, and all records are one click away', async () => {
    await tab(page, 'Dear').click()
    await menuOf(page, 'Dear').click()
    await inMenu(page, 'Set as my default').click()
    await menuOf(page, 'Dear').click()
    await expect(inMenu(page, 'Remove as default')).toBeVisible()
    await page.keyboard.press('Escape')
    await page.goto('/collections/chores')
    await expect(tab(page, 'Dear')).toHaveAttribute('aria-current', 'page')
    await expect(titles(page)).toHaveText(['Roof', 'Well', 'Attic'])
    await tab(page, 'All records').click()
    await expect(titles(page)).toHaveText(['Roof', 'Attic', 'Well'])
    await page.reload()
    await expect(tab(page, 'All records')).toHaveAttribute('aria-current', 'page')
  })

  await test.step('a view is deleted after confirmation, with a toast', async () => {
    await tab(page, 'Simple 2').click()
    await menuOf(page, 'Simple 2').click()
    await inMenu(page, 'Delete…').click()
    const question = page.getByRole('dialog', { name: /^Delete view/ })
    await question.getByRole('button', { name: 'Cancel' }).click()
    await expect(tab(page, 'Simple 2')).toBeVisible()

    await menuOf(page, 'Simple 2').click()
    await inMenu(page, 'Delete…').click()
    await page.route('**/views/*', (route) => route.abort(), { times: 1 })
    await question.getByRole('button', { name: 'Delete view' }).click()
    await expect(page.getByText('Couldn’t delete the view “Simple 2”')).toBeVisible()
    await expect(tab(page, 'Simple 2')).toBeVisible()

    await menuOf(page, 'Simple 2').click()
    await inMenu(page, 'Delete…').click()
    await question.getByRole('button', { name: 'Delete view' }).click()
    await expect(page.getByText('View “Simple 2” deleted')).toBeVisible()
    await page.reload()
    await expect(views(page).getByRole('link')).toHaveText([/All records/, /Simple/, /Dear/])
  })

  await test.step('a view is moved past its neighbor in the order', async () => {
    await tab(page, 'Dear').click()
    await menuOf(page, 'Dear').click()
    await inMenu(page, 'Move earlier').click()
    await expect(views(page).getByRole('link')).toHaveText([/All records/, /Dear/, /Simple/])
  })

  await test.step('the URL of a deleted view shows that it was deleted', async () => {
    await page.goto(`/collections/chores?view=${'0'.repeat(26)}`)
    await expect(page.getByText('This view was deleted')).toBeVisible()
    await button(page, 'Show all records').click()
    await expect(titles(page)).toHaveCount(3)
  })

  await test.step('deleted fields are dropped from a view, which can be saved without them', async () => {
    const { ask } = await asProgram(server.url, ADA)
    await ask('DELETE', '/api/collections/chores/fields/amount')
    await tab(page, 'Dear').click()
    await page.reload()
    await expect(page.getByText(/This view was sorted by/)).toBeVisible()
    await button(page, 'Remove it from the view').click()
    await expect(page.getByText(/This view was sorted by/)).toBeHidden()
  })
})

test("a shared view is visible to all users, and concurrent changes aren't overwritten", async ({
  page,
  server,
  browser,
}) => {
  await inviteGrace(server)
  await makeTasks(server.url, 'Callouts')
  await signIn(page, ADA)
  await page.goto(`/collections/callouts${OPEN_ONES}`)
  await saveAs(page, 'Team', { isShared: true })

  const other = await (await browser.newContext()).newPage()
  await other.goto(server.url)
  await signIn(other, GRACE)
  await other.goto(new URL(page.url()).pathname + new URL(page.url()).search)
  await expect(tab(other, 'Team')).toHaveAttribute('aria-current', 'page')

  await test.step("a conflicting save first shows the other user's changes", async () => {
    await page.getByRole('columnheader', { name: /^Amount/ }).click()
    await expect(titles(page)).toHaveText(['Roof', 'Attic'])
    await other.goto(`${other.url()}&search=attic`)
    await button(other, 'Save for everyone').click()
    await expect(button(other, 'Save for everyone')).toBeHidden()
    await button(page, 'Save for everyone').click()
    await expect(page.getByText('Someone else edited this view in the meantime')).toBeVisible()
    await expect(titles(page)).toHaveText(['Attic'])
    await button(page, 'Save for everyone').click()
    await expect(button(page, 'Save for everyone')).toBeHidden()
    await other.reload()
    await expect(other).toHaveURL(/view=[0-9a-z]{26}$/)
    await expect(titles(other)).toHaveText(['Attic'])
  })

  await test.step("a locked view isn't saved accidentally", async () => {
    await menuOf(page, 'Team').click()
    await inMenu(page, 'Lock').click()
    await expect(tab(page, 'Team').getByLabel('locked')).toBeVisible()
    await page.getByRole('columnheader', { name: /^Title/ }).click()
    await expect(button(page, 'Save as new view')).toBeVisible()
    await expect(button(page, 'Save for everyone')).toBeHidden()
  })

  await test.step('a view made private disappears for other users', async () => {
    await menuOf(page, 'Team').click()
    await inMenu(page, 'Make private to ada').click()
    await expect(page.getByText('Only ada can see this view now')).toBeVisible()
    await other.reload()
    await expect(other.getByText('This view was deleted')).toBeVisible()
  })
  await other.context().close()
})

test('views work by keyboard, in dark mode and on a phone, without axe violations', async ({ page, server }) => {
  await makeTasks(server.url, 'Assignments')
  await signIn(page, ADA)
  await page.goto(`/collections/assignments${OPEN_ONES}`)

  await test.step('a view is saved and its menu opened by keyboard', async () => {
    await button(page, 'New view').focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog').getByLabel('Name')).toBeFocused()
    await page.keyboard.type('Mine')
    expect(await axeFindings(page)).toEqual([])
    await page.keyboard.press('Enter')
    await expect(tab(page, 'Mine')).toHaveAttribute('aria-current', 'page')
    await expect(tab(page, 'Mine')).toBeFocused()
    await menuOf(page, 'Mine').focus()
    await page.keyboard.press('Enter')
    await expect(inMenu(page, 'Rename')).toBeVisible()
    expect(await axeFindings(page)).toEqual([])
    await page.keyboard.press('Escape')
    await expect(menuOf(page, 'Mine')).toBeFocused()
  })

  await test.step('buttons that disappear after use move focus to the view', async () => {
    const own = page.url()
    for (const name of ['Discard changes', 'Save']) {
      await page.goto(`${own}&sort=title`)
      await button(page, name).focus()
      await page.keyboard.press('Enter')
      await expect(button(page, name)).toBeHidden()
      await expect(tab(page, 'Mine')).toBeFocused()
    }
  })

  for (const scheme of ['light', 'dark'] as const) {
    await test.step(`at 375 px in ${scheme} mode, nothing overflows`, async () => {
      await page.emulateMedia({ colorScheme: scheme })
      await page.setViewportSize({ width: 375, height: 780 })
      await page.goto(`${page.url().replace(/&.*/, '')}&sort=-title`)
      await expect(button(page, 'Save')).toBeVisible()
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375)
      expect(await axeFindings(page)).toEqual([])
    })
  }
})
