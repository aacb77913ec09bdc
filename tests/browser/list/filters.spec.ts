import { expect, type Page } from '@playwright/test'
import { axeFindings } from '#tests/support/browser/axe-findings.ts'
import { test } from '#tests/support/browser/browser-page.ts'
import { ADA, asProgram, signIn, WITH_ADA } from '#tests/support/browser/session-page.ts'

test.use({ serverSettings: WITH_ADA })

const JOBS: readonly (readonly [title: string, status: string | null, amount: number | null, due: string])[] = [
  ['Roof', 'open', 30, '2026-01-05'],
  ['Attic', 'open', 10, '2026-02-05'],
  ['Well', 'done', 20, '2026-03-05'],
  ['Mill', 'waiting', 40, '2026-04-05'],
  ['Kiln', null, null, '2026-05-05'],
]

/** Creates a collection of jobs that link to customers, which link to countries. */
async function makeJobs(url: string, name: string): Promise<void> {
  const { ask } = await asProgram(url, ADA)
  const make = (label: string, of: string, fields: readonly object[]) =>
    ask('POST', '/api/collections', { label, name: of, fields })
  const record = (of: string, values: object) => ask('POST', `/api/collections/${of}/records`, { values })
  const countries = await make('Countries', `${name}_countries`, [{ label: 'Name', kind: 'text' }])
  const customers = await make('Customers', `${name}_customers`, [
    { label: 'Name', kind: 'text' },
    { label: 'Country', kind: 'relation', options: { collection: countries['id'], many: false } },
  ])
  await make(name, name, [
    { label: 'Title', kind: 'text' },
    {
      label: 'Status',
      kind: 'select',
      options: { choices: [{ name: 'open' }, { name: 'waiting' }, { name: 'done' }] },
    },
    { label: 'Amount', kind: 'number' },
    { label: 'Due', kind: 'date' },
    { label: 'Owner', kind: 'user', options: { many: false } },
    { label: 'Customer', kind: 'relation', options: { collection: customers['id'], many: false } },
  ])
  const norway = await record(`${name}_countries`, { name: 'Norway' })
  const anker = await record(`${name}_customers`, { name: 'Anker', country: norway['id'] })
  for (const [title, status, amount, due] of JOBS)
    await record(name, { title, status, amount, due, customer: title === 'Well' ? anker['id'] : null })
}

const titles = (page: Page) => page.getByRole('rowheader')
const panel = (page: Page, name = 'Filter') => page.getByRole('dialog', { name })
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const line = (page: Page, label: string) => panel(page).getByRole('group', { name: `Condition on ${label}` })
const filterIn = (page: Page): string => new URL(page.url()).searchParams.get('filter') ?? ''
const filterBecomes = (page: Page, text: string) => expect.poll(() => filterIn(page)).toBe(text)

/** Chooses an option from the list below the focused field. */
async function chooseByKeys(page: Page, words: string): Promise<void> {
  await page.keyboard.type(words)
  await expect(page.getByRole('option', { name: words }).first()).toBeVisible()
  await page.keyboard.press('Enter')
}

test('nested filters are built by keyboard and match the filter text', async ({ page, server }) => {
  await makeJobs(server.url, 'repairs')
  await signIn(page, ADA)
  await page.goto('/collections/repairs')
  await expect(titles(page)).toHaveCount(5)

  await test.step('conditions apply as soon as they are complete', async () => {
    await button(page, 'Filter').press('Enter')
    await panel(page).getByRole('button', { name: 'Add condition' }).press('Enter')
    await chooseByKeys(page, 'Status')
    await expect(line(page, 'Status')).toBeVisible()
    await line(page, 'Status').getByLabel('Value for Status').press('ArrowDown')
    await expect(page.getByRole('option', { name: 'open' })).toBeVisible()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await filterBecomes(page, 'status = "open"')
    await expect(titles(page)).toHaveText(['Roof', 'Attic'])
    await expect(button(page, 'Filter 1')).toBeVisible()
  })

  await test.step('a filter group matches any of several conditions, even through relations', async () => {
    await panel(page).getByRole('button', { name: 'Add group' }).press('Enter')
    await chooseByKeys(page, 'Amount')
    await line(page, 'Amount').getByLabel('Operator').selectOption('>')
    await line(page, 'Amount').getByLabel('Value for Amount').fill('15')
    await page.keyboard.press('Enter')
    await filterBecomes(page, 'status = "open" && amount > 15')
    await panel(page)
      .getByRole('group', { name: /any condition must match/ })
      .getByRole('button', { name: 'Add condition' })
      .press('Enter')
    await chooseByKeys(page, 'Customer › Country')
    // After a relation is chosen, its fields are suggested.
    await line(page, 'Customer › Country').getByRole('combobox', { name: 'Field' }).fill('')
    await chooseByKeys(page, 'Customer › Country › Name')
    await line(page, 'Customer › Country › Name').getByLabel('Value for Customer').fill('nor')
    await filterBecomes(page, 'status = "open" && (amount > 15 || customer.country.name ~ "nor")')
    await expect(titles(page)).toHaveText(['Roof'])
  })

  await test.step('conditions are moved between groups and duplicated by keyboard', async () => {
    const status = line(page, 'Status')
    await status.getByLabel('Operator').focus()
    await page.keyboard.press('Control+Shift+ArrowDown')
    await filterBecomes(page, 'status = "open" || amount > 15 || customer.country.name ~ "nor"')
    await expect(status.getByLabel('Operator')).toBeFocused()
    await page.keyboard.press('Control+Shift+ArrowUp')
    await filterBecomes(page, 'status = "open" && (amount > 15 || customer.country.name ~ "nor")')
    await page.keyboard.press('Control+Shift+D')
    await expect(status).toHaveCount(2)
    await status.last().getByLabel('Operator').selectOption('!=')
    await filterBecomes(page, 'status = "open" && status != "open" && (amount > 15 || customer.country.name ~ "nor")')
    await status
      .last()
      .getByRole('button', { name: /^More actions for/ })
      .press('Enter')
    await page.getByRole('menuitem', { name: 'Duplicate' }).press('Escape')
    await status
      .last()
      .getByRole('button', { name: /^Remove/ })
      .press('Enter')
    await filterBecomes(page, 'status = "open" && (amount > 15 || customer.country.name ~ "nor")')
    expect(await axeFindings(page)).toEqual([])
  })

  await test.step('the filter text matches the conditions, and Enter applies edited text', async () => {
    await panel(page).getByText('Text', { exact: true }).click()
    const text = panel(page).getByRole('combobox', { name: 'Filter as text' })
    await expect(text).toHaveValue('status = "open" && (amount > 15 || customer.country.name ~ "nor")')
    await expect(panel(page)).toContainText('Status is “open” and (Amount is more than 15 or')
    await text.fill('amount between 15 and 30')
    await text.press('Enter')
    await expect(titles(page)).toHaveText(['Roof', 'Well'])
    await panel(page).getByText('Conditions', { exact: true }).click()
    await expect(line(page, 'Amount').getByLabel('Amount: from')).toHaveValue('15')
  })

  await test.step("filters that can't be shown as conditions are shown as text, with a notice", async () => {
    const deep = 'title = "a" || (title = "b" && (amount = 1 || (amount = 2 && (due is empty || status = "done"))))'
    await page.goto(`/collections/repairs?filter=${encodeURIComponent(deep)}`)
    await button(page, /^Filter/).click()
    await expect(panel(page).getByRole('combobox', { name: 'Filter as text' })).toHaveValue(deep)
    await expect(panel(page)).toContainText('Groups nested this deep')
    await expect(panel(page).getByRole('radio', { name: 'Conditions' })).toBeDisabled()
  })

  await test.step('back and forward restore filters', async () => {
    await panel(page).getByRole('button', { name: 'Clear filter' }).click()
    await expect(titles(page)).toHaveCount(5)
    await page.keyboard.press('Escape')
    await page.goBack()
    await filterBecomes(
      page,
      'title = "a" || (title = "b" && (amount = 1 || (amount = 2 && (due is empty || status = "done"))))',
    )
  })
})

test('a filter is typed with suggestions, errors are marked, and cell values filter the list', async ({
  page,
  server,
}) => {
  await makeJobs(server.url, 'visits')
  await signIn(page, ADA)
  await page.goto('/collections/visits')
  await button(page, 'Filter').click()
  await panel(page).getByText('Text', { exact: true }).click()
  const text = panel(page).getByRole('combobox', { name: 'Filter as text' })
  const offers = panel(page).getByRole('listbox', { name: 'Suggestions' }).getByRole('option')

  await test.step('names, operators, options and dates are suggested in place', async () => {
    await expect(text).toBeFocused()
    await page.keyboard.type('sta')
    await expect(offers).toHaveText([/status.*Status/, /start_of/, /starts_with/])
    await expect(text).toHaveAttribute('aria-activedescendant', /-0$/)
    await page.keyboard.press('Enter')
    await expect(text).toHaveValue('status ')
    await page.keyboard.type('is on')
    await page.keyboard.press('Control+A')
    await page.keyboard.type('status = ')
    await expect(offers).toHaveText(['"open"', '"waiting"', '"done"'])
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(text).toHaveValue('status = "waiting" ')
    await page.keyboard.type('|| due > @tod')
    await expect(offers.first()).toHaveText('@todaytoday')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await filterBecomes(page, 'status = "waiting" || due > @today')
    await expect(titles(page)).toHaveText(['Mill'])
    expect(await axeFindings(page)).toEqual([])
  })

  await test.step("an error is marked, the list doesn't change, and Escape restores the active filter", async () => {
    await text.fill('statsu = "done"')
    await text.press('Enter')
    await expect(panel(page).getByText('There is no field “statsu” in visits. Did you mean “status”?')).toBeVisible()
    await expect(text).toHaveAttribute('aria-invalid', 'true')
    await expect(panel(page).locator('mark')).toHaveText('statsu')
    // The misspelled word is selected, so typing replaces it.
    await page.keyboard.type('status')
    await expect(text).toHaveValue('status = "done"')
    await expect(text).toHaveAttribute('aria-invalid', 'false')
    await text.fill('amount = ')
    await page.keyboard.press('Escape')
    await expect(text).toHaveValue('status = "waiting" || due > @today')
    await expect(titles(page)).toHaveText(['Mill'])
    await panel(page).getByRole('button', { name: 'Clear filter' }).click()
    await page.keyboard.press('Escape')
    await expect(panel(page)).toBeHidden()
    await expect(button(page, 'Filter')).toBeFocused()
  })

  await test.step('the list can be filtered by several cell values in succession', async () => {
    const cell = (name: string) => page.getByRole('gridcell', { name, exact: true }).first()
    await cell('open').click({ button: 'right' })
    await expect(page.getByRole('menuitem', { name: /open$/ })).toHaveText(['Only open', 'Not open'])
    await page.getByRole('menuitem', { name: 'Not open' }).click()
    await expect(titles(page)).toHaveText(['Well', 'Mill', 'Kiln'])
    await cell('waiting').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Not empty' }).click()
    await filterBecomes(page, 'status != "open" && status is not empty')
    await expect(titles(page)).toHaveText(['Well', 'Mill'])
    await cell('Anker').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Only Anker' }).click()
    await expect(titles(page)).toHaveText(['Well'])
    await button(page, 'Filter 3').click()
    await panel(page).getByText('Conditions', { exact: true }).click()
    await expect(line(page, 'Customer')).toContainText('Anker')
    await panel(page).getByRole('button', { name: 'Clear filter' }).click()
  })
})

/** Records the times of key presses and list requests. */
async function noteTimes(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const times = { actMs: 0, askMs: 0 }
    Object.assign(window, { times })
    const act = () => (times.actMs = performance.now())
    addEventListener('keydown', act, true)
    addEventListener('change', act, true)
    const ask = window.fetch.bind(window)
    window.fetch = (input, init) => {
      if (String(input instanceof Request ? input.url : input).includes('/records?')) times.askMs = performance.now()
      return ask(input, init)
    }
  })
  return () =>
    page.evaluate(() => {
      // Set by the init script above.
      const { times } = window as unknown as { times: { actMs: number; askMs: number } }
      return times.askMs - times.actMs
    })
}

test('columns can be filtered, sorted and grouped by mouse, keyboard and touch', async ({ page, server }) => {
  await makeJobs(server.url, 'repairs_two')
  const sinceKey = await noteTimes(page)
  await signIn(page, ADA)
  await page.goto('/collections/repairs_two')
  await expect(titles(page)).toHaveCount(5)

  await test.step('typing is debounced by 400 ms; Enter and selecting an option apply immediately', async () => {
    await button(page, 'Columns').click()
    await page.getByRole('dialog', { name: 'Columns' }).getByRole('switch', { name: 'Show column filters' }).check()
    await page.keyboard.press('Escape')
    const below = (label: string) => page.getByRole('grid').getByLabel(`Filter ${label}`)
    await below('Title').pressSequentially('l')
    await expect(titles(page)).toHaveText(['Well', 'Mill', 'Kiln'])
    expect(await sinceKey()).toBeGreaterThanOrEqual(400)
    await below('Amount').pressSequentially('>20')
    await below('Amount').press('Enter')
    await expect(titles(page)).toHaveText(['Mill'])
    expect(await sinceKey()).toBeLessThan(400)
    await below('Status').selectOption('done')
    await expect(page.getByText('No records match the filter.')).toBeVisible()
    expect(await sinceKey()).toBeLessThan(400)
    await filterBecomes(page, 'title ~ "l" && amount > 20 && status = "done"')
    await below('Amount').fill('many')
    await expect(below('Amount')).toHaveAttribute('aria-invalid', 'true')
    await page.goto('/collections/repairs_two')
    const search = page.getByRole('searchbox', { name: 'Search' })
    await search.pressSequentially('roo')
    await expect(titles(page)).toHaveText(['Roof'])
    expect(await sinceKey()).toBeGreaterThanOrEqual(400)
    await search.fill('att')
    await search.press('Enter')
    await expect(titles(page)).toHaveText(['Attic'])
    expect(await sinceKey()).toBeLessThan(400)
    await search.press('Escape')
  })

  await test.step('clicking a header cycles through ascending, descending and unsorted; Shift adds columns', async () => {
    const header = (name: string) => page.getByRole('columnheader', { name: new RegExp(`^${name}`) })
    const sort = (text: string) => expect.poll(() => new URL(page.url()).searchParams.get('sort') ?? '').toBe(text)
    await header('Amount').click()
    await sort('amount')
    await header('Amount').click()
    await sort('-amount')
    await expect(header('Amount')).toHaveAttribute('aria-sort', 'descending')
    await header('Status').click({ modifiers: ['Shift'] })
    await sort('-amount,status')
    await header('Title').click()
    await sort('title')
    await header('Title').click()
    await sort('-title')
    await header('Title').click()
    await sort('')
  })

  await test.step('sort fields are added, reversed, reordered and removed', async () => {
    await button(page, 'Sort').press('Enter')
    const sort = panel(page, 'Sort')
    // The field suggestions open automatically.
    await page.getByRole('option', { name: 'Status' }).click()
    await sort.getByRole('combobox', { name: 'Then by' }).click()
    await page.getByRole('option', { name: 'Amount' }).click()
    await sort.getByLabel('Direction of Amount').selectOption('Largest first')
    await expect(titles(page)).toHaveText(['Roof', 'Attic', 'Mill', 'Well', 'Kiln'])
    await sort.getByRole('button', { name: 'Move Amount' }).press('ArrowUp')
    await expect(titles(page)).toHaveText(['Mill', 'Roof', 'Well', 'Attic', 'Kiln'])
    await expect(sort.getByRole('button', { name: 'Move Amount' })).toBeFocused()
    await sort.getByRole('button', { name: 'Move Status' }).dragTo(sort.getByText('Amount', { exact: true }))
    await expect(titles(page)).toHaveText(['Roof', 'Attic', 'Mill', 'Well', 'Kiln'])
    await sort.getByRole('button', { name: 'Remove sorting by Amount' }).press('Enter')
    await expect(page).toHaveURL(/sort=status$/)
    await page.keyboard.press('Escape')
  })

  await test.step('on a phone, a sheet filters the list and groups it by several fields', async () => {
    await page.setViewportSize({ width: 375, height: 760 })
    await button(page, 'Group').click()
    const group = panel(page, 'Group')
    await page.getByRole('option', { name: 'Owner' }).click()
    for (const field of ['Status', 'Due']) {
      await group.getByRole('combobox', { name: 'Then by' }).click()
      await page.getByRole('option', { name: field }).click()
    }
    await expect(page).toHaveURL(/group=owner(?:,|%2C)status(?:,|%2C)due/)
    await expect(group.getByRole('combobox', { name: /by/ })).toHaveCount(0)
    await group.getByRole('button', { name: 'Remove grouping by Owner' }).click()
    await group.getByLabel('Direction of Status').selectOption('Last option first')
    await expect(page).toHaveURL(/sort=-status&group=status(?:,|%2C)due/)
    const { height = 0, y = 0, width } = (await group.boundingBox()) ?? {}
    expect([Math.round(y + height), width]).toEqual([760, 375])
    await group.getByRole('button', { name: 'Done' }).click()
    await button(page, 'Filter').click()
    await panel(page).getByRole('button', { name: 'Add condition' }).click()
    await chooseByKeys(page, 'Due')
    await line(page, 'Due').getByLabel('Operator').selectOption('is not empty')
    await filterBecomes(page, 'due is not empty')
    expect(await axeFindings(page)).toEqual([])
  })
})

test('changes made before the list has loaded are based on the last request @full', async ({ page, server }) => {
  await makeJobs(server.url, 'repairs_three')
  await signIn(page, ADA)
  await page.goto('/collections/repairs_three?group=owner,status')
  await button(page, /^Group/).click()
  const group = panel(page, 'Group')
  const removal = group.getByRole('button', { name: 'Remove grouping by Owner' })
  const requested = (name: string) => expect.poll(() => new URL(page.url()).searchParams.get(name))

  await test.step('two changes in the same tick are both applied', async () => {
    const direction = await group.getByLabel('Direction of Status').elementHandle()
    await removal.evaluate((remove: HTMLButtonElement, select) => {
      if (!(select instanceof HTMLSelectElement)) throw new TypeError('A direction is chosen from a list.')
      remove.click()
      select.value = 'desc'
      select.dispatchEvent(new Event('change', { bubbles: true }))
    }, direction)
    await requested('sort').toBe('-status')
    await requested('group').toBe('status')
  })

  await test.step('a change right after going back is based on the restored list', async () => {
    await page.keyboard.press('Escape')
    const header = page.getByRole('columnheader', { name: /^Amount/ }).locator('[data-sort]')
    await header.click()
    await requested('sort').toBe('amount')
    await header.evaluate(
      (amount: HTMLElement) =>
        new Promise<void>((resolve) => {
          // The router's listener for this event was registered first, so it runs before this one.
          window.addEventListener('popstate', () => {
            queueMicrotask(() => {
              amount.dispatchEvent(new MouseEvent('click', { bubbles: true, shiftKey: true }))
              resolve()
            })
          })
          history.back()
        }),
    )
    await requested('sort').toBe('-status,amount')
    await requested('group').toBe('status')
  })

  await test.step('a second header click, or a panel opened right after the first, uses the last requested sort', async () => {
    const header = page.getByRole('columnheader', { name: /^Title/ }).locator('[data-sort]')
    const sort = await button(page, /^Sort/).elementHandle()
    await header.evaluate(async (title: HTMLElement, sortButton) => {
      const press = async (element: Element | null) => {
        if (element instanceof HTMLElement) element.click()
        await new Promise((resolve) => setTimeout(resolve))
      }
      await press(title)
      await press(title)
      await press(title)
      await press(sortButton)
    }, sort)
    await requested('sort').toBe(null)
    // Without a sort, the field suggestions open automatically.
    await expect(page.getByRole('option', { name: 'Status' })).toBeVisible()
  })
})
