import type { Page } from '@playwright/test'
import { expect as soonExpect } from '@playwright/test'
import { test } from '#tests/support/browser/browser-page.ts'
import { ADA, asProgram, signIn, WITH_ADA } from '#tests/support/browser/session-page.ts'

/** A longer timeout for busy machines. */
const expect = soonExpect.configure({ timeout: 20_000 })

test.use({ locale: 'en-US' })
test.use({ serverSettings: WITH_ADA })

type Program = Awaited<ReturnType<typeof asProgram>>

/** Lazily loaded modules, delayed individually and all together. */
const LATE = [['list-later'], ['cell-editors'], ['frame-later'], ['list-later', 'cell-editors', 'frame-later']]

async function makeOrders({ ask }: Program, name: string): Promise<void> {
  await ask('POST', '/api/collections', {
    label: name,
    fields: [
      { label: 'Title', kind: 'text', required: true },
      { label: 'Status', kind: 'select', options: { choices: [{ name: 'Open' }, { name: 'Done' }] } },
      { label: 'Amount', kind: 'number' },
      { label: 'Code', kind: 'text' },
    ],
  })
  const create = [1, 2, 3].map((number) => ({ values: { title: `Order ${number}`, status: 'Open', amount: number } }))
  await ask('POST', `/api/collections/${name.toLowerCase()}/records/bulk`, { create })
}

const values = async ({ ask }: Program, name: string): Promise<readonly unknown[]> => {
  const { items } = await ask('GET', `/api/collections/${name}/records`)
  // Matches the API contract.
  return (items as readonly { readonly values: Record<string, unknown> }[]).map((record) => record.values)
}

/** Delays loading some of the app's modules; returns a function that releases them. */
async function holdBack(page: Page, parts: readonly string[]): Promise<() => void> {
  let letCome = (): void => undefined
  const come = new Promise<void>((resolve) => {
    letCome = resolve
  })
  await page.route(new RegExp(`/assets/(${parts.join('|')})-[^/]*\\.js`), async (route) => {
    await come
    await route.continue()
  })
  return letCome
}

const cell = (page: Page, row: number, column: number) =>
  page.locator(`.grid-row[aria-rowindex="${row}"] [aria-colindex="${column}"]`)

for (const [at, parts] of LATE.entries()) {
  test(`keeps text typed before ${parts.join(', ')} is loaded`, async ({ page, server }) => {
    const program = await asProgram(server.url, ADA)
    const name = `ahead${at}`
    await makeOrders(program, name)
    await signIn(page, ADA)
    const letCome = await holdBack(page, parts)
    await page.goto(`/collections/${name}`)
    await expect(page.getByRole('grid')).toContainText('Order 3')
    await cell(page, 2, 3).click({ position: { x: 4, y: 8 } })
    await expect(cell(page, 2, 3)).toBeFocused()

    await page.keyboard.type('dx')
    await page.keyboard.press('Backspace')
    await page.keyboard.type('one')
    await page.keyboard.press('Tab')
    await page.keyboard.type('71')
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.type('done')
    await page.keyboard.press('Tab')
    await page.keyboard.type('72')
    await page.keyboard.press('Escape')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.type('C 7')
    await page.keyboard.press('Enter')
    await page.keyboard.type('C')
    letCome()

    await expect(page.getByRole('textbox', { name: 'Code' })).toHaveValue('C')
    await page.keyboard.type(' 8')
    await page.keyboard.press('Enter')
    await expect
      .poll(() => values(program, name))
      .toEqual([
        { title: 'Order 1', status: 'Done', amount: 71, code: null },
        { title: 'Order 2', status: 'Done', amount: 2, code: 'C 7' },
        { title: 'Order 3', status: 'Open', amount: 3, code: 'C 8' },
      ])
  })
}

test('clicking elsewhere keeps text typed before the editor is loaded', async ({ page, server }) => {
  const program = await asProgram(server.url, ADA)
  await makeOrders(program, 'pressed')
  await signIn(page, ADA)
  const letCome = await holdBack(page, ['cell-editors'])
  await page.goto('/collections/pressed')
  await expect(page.getByRole('grid')).toContainText('Order 3')
  await cell(page, 2, 3).click({ position: { x: 4, y: 8 } })
  await page.keyboard.type('done')
  await cell(page, 3, 3).click({ position: { x: 4, y: 8 } })
  await page.keyboard.type('do')
  letCome()
  await expect(page.getByRole('combobox', { name: 'Status' })).toHaveValue('do')
  await page.keyboard.press('Tab')
  await expect
    .poll(async () => (await values(program, 'pressed')).map((each) => (each as { status: string }).status))
    .toEqual(['Done', 'Done', 'Open'])
})
