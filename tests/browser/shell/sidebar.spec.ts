import { expect, type Page } from '@playwright/test'
import { axeFindings } from '#tests/support/browser/axe-findings.ts'
import { test } from '#tests/support/browser/browser-page.ts'
import { ADA, asProgram, signIn, WITH_ADA } from '#tests/support/browser/session-page.ts'

test.use({ serverSettings: WITH_ADA })
test.use({ locale: 'en-US', viewport: { width: 1440, height: 900 } })
test.setTimeout(90_000)

const sidebar = (page: Page) => page.getByRole('navigation', { name: 'Workspace' })
const line = (page: Page, label: string) => sidebar(page).getByRole('link', { name: new RegExp(`^${label}`) })
const group = (page: Page, name: string) => sidebar(page).getByRole('list', { name, exact: true })
const head = (page: Page, name: string) => sidebar(page).getByRole('button', { name, exact: true })
const more = (page: Page, label: string) => page.getByRole('button', { name: `Actions for ${label}`, exact: true })
const inMenu = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true })

/** Creates collections with unique labels for one test. */
async function shelve(url: string, ...collections: readonly { readonly label: string; readonly group?: string }[]) {
  const { ask } = await asProgram(url, ADA)
  for (const collection of collections) await ask('POST', '/api/collections', collection)
  return ask
}

/** The link labels in a sidebar group, without record counts. */
const labelsIn = (page: Page, name: string) =>
  group(page, name)
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => link.querySelector('span')?.textContent))

test('collections are shown in collapsible groups with icons, colors and counts', async ({ page, server }) => {
  const ask = await shelve(server.url, { label: 'Sheds', group: 'Estate' }, { label: 'Wells', group: 'Estate' })
  await signIn(page, ADA)
  await page.goto('/')
  await expect(group(page, 'Estate').getByRole('link')).toHaveCount(2)

  await test.step('an icon and a color can be selected for a collection', async () => {
    await line(page, 'Sheds').hover()
    await more(page, 'Sheds').click()
    await inMenu(page, 'Icon and color').click()
    const dialog = page.getByRole('dialog', { name: 'Icon and color' })
    await dialog.getByRole('radio', { name: 'Warehouse' }).check()
    await dialog.getByRole('radio', { name: 'Violet' }).check()
    expect(await axeFindings(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toBeHidden()
    await expect(line(page, 'Sheds').locator('svg')).toHaveCSS('color', 'rgb(148, 104, 194)')
  })

  await test.step('new records update the counts', async () => {
    await expect(line(page, 'Wells')).toHaveAccessibleDescription('0 records')
    await ask('POST', '/api/collections/wells/records', { values: { title: 'Deep' } })
    await page.reload()
    await expect(line(page, 'Wells')).toHaveAccessibleDescription('1 record')
  })

  await test.step('a group is still collapsed after a reload', async () => {
    await head(page, 'Estate').click()
    await expect(line(page, 'Sheds')).toBeHidden()
    await page.reload()
    await expect(sidebar(page).getByRole('button', { name: /^Estate/, expanded: false })).toBeVisible()
    await sidebar(page)
      .getByRole('button', { name: /^Estate/, expanded: false })
      .click()
    await expect(line(page, 'Sheds')).toBeVisible()
  })
})

test('a collection created in the sidebar has a name, a description and three fields', async ({ page, server }) => {
  await shelve(server.url)
  await signIn(page, ADA)
  await page.goto('/')
  await sidebar(page).getByRole('button', { name: 'New collection' }).click()
  const dialog = page.getByRole('dialog', { name: 'New collection' })
  await dialog.getByLabel('Description').fill('Lamps lent to visitors')
  await dialog.getByLabel('Name').fill('Lanterns')
  await page.keyboard.press('Enter')
  const heading = page.getByRole('heading', { name: 'Lanterns' })
  await expect(heading).toHaveAccessibleDescription('Lamps lent to visitors')
  await heading.hover()
  await expect(page.getByRole('tooltip', { name: 'Lamps lent to visitors' })).toBeVisible()
  await expect(line(page, 'Lanterns')).toHaveAttribute('aria-current', 'page')
  const { ask } = await asProgram(server.url, ADA)
  const { fields } = (await ask('GET', '/api/collections/lanterns')) as { fields: { label: string; kind: string }[] }
  expect(fields.map(({ label, kind }) => [label, kind])).toEqual([
    ['Title', 'text'],
    ['Notes', 'rich-text'],
    ['Files', 'files'],
  ])

  await page.goto('/collections/lanterns/settings')
  const names = page.getByRole('form', { name: 'Name and description' })
  await names.getByLabel('Description').fill('Lamps for the tower')
  await names.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Collection saved')).toBeVisible()
  await page.goto('/')
  await expect(page.getByRole('main').getByRole('link', { name: /Lanterns/ })).toContainText('Lamps for the tower')
})

test('collections and groups are reordered by keyboard and dragging, with undo', async ({ page, server }) => {
  const ask = await shelve(
    server.url,
    { label: 'Oaks', group: 'Trees' },
    { label: 'Elms', group: 'Trees' },
    { label: 'Roses', group: 'Flowers' },
  )
  await signIn(page, ADA)
  await page.goto('/')

  await test.step('collections are reordered by keyboard', async () => {
    await line(page, 'Oaks').focus()
    await page.keyboard.press('Alt+ArrowDown')
    await expect.poll(() => labelsIn(page, 'Trees')).toEqual(['Elms', 'Oaks'])
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => labelsIn(page, 'Flowers')).toEqual(['Oaks', 'Roses'])
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => labelsIn(page, 'Trees')).toEqual(['Elms', 'Oaks'])
  })

  await test.step('a collection is dragged into another group', async () => {
    await line(page, 'Roses').hover()
    const from = await line(page, 'Roses').boundingBox()
    const to = await line(page, 'Elms').boundingBox()
    if (!from || !to) throw new Error('They are not there.')
    await page.mouse.move(from.x + 16, from.y + from.height / 2)
    await page.mouse.down()
    await page.mouse.move(to.x + 16, to.y + to.height / 2, { steps: 12 })
    await page.mouse.up()
    await expect.poll(() => labelsIn(page, 'Trees')).toEqual(['Roses', 'Elms', 'Oaks'])
    await page.reload()
    await expect.poll(() => labelsIn(page, 'Trees')).toEqual(['Roses', 'Elms', 'Oaks'])
  })

  await test.step('a collection is moved into a new group, which is renamed and removed', async () => {
    await line(page, 'Roses').hover()
    await more(page, 'Roses').click()
    await inMenu(page, 'Move to group').click()
    const dialog = page.getByRole('dialog', { name: 'Move Roses to group' })
    await dialog.getByRole('radio', { name: 'New group' }).check()
    await dialog.getByLabel('Group name').fill('Garden')
    await page.keyboard.press('Enter')
    await expect.poll(() => labelsIn(page, 'Garden')).toEqual(['Roses'])
    await head(page, 'Garden').hover()
    await more(page, 'group Garden').click()
    await inMenu(page, 'Rename').click()
    await page.getByLabel('Group name').fill('Park')
    await page.keyboard.press('Enter')
    await expect.poll(() => labelsIn(page, 'Park')).toEqual(['Roses'])
    await head(page, 'Park').hover()
    await more(page, 'group Park').click()
    await inMenu(page, 'Ungroup').click()
    await expect(group(page, 'Park')).toBeHidden()
    await expect(line(page, 'Roses')).toBeVisible()
  })
  const groupOfRoses = async () => {
    const { items } = (await ask('GET', '/api/collections')) as { items: { label: string; group?: string }[] }
    return items.find(({ label }) => label === 'Roses')?.group
  }
  await expect.poll(groupOfRoses).toBeUndefined()
})

test("favorites are at the top in the user's order, and disappear when their target is deleted", async ({
  page,
  server,
}) => {
  const ask = await shelve(server.url, { label: 'Punts' })
  const { id } = await ask('POST', '/api/collections/punts/records', { values: { title: 'Gull' } })
  await signIn(page, ADA)
  await page.goto('/collections/punts')
  await page.getByRole('button', { name: 'Favorite: Punts' }).click()
  const favourites = sidebar(page).getByRole('region', { name: 'Favorites' })
  await expect(favourites.getByRole('link', { name: 'Punts' })).toBeVisible()
  await page.goto(`/collections/punts/${String(id)}`)
  await page.getByRole('button', { name: 'More actions for this record' }).click()
  await inMenu(page, 'Add to favorites').click()
  await expect(favourites.getByRole('link')).toHaveText(['Punts', 'Gull'])

  await test.step('favorites are reordered', async () => {
    await favourites.getByRole('button', { name: 'Move Gull', exact: true }).press('ArrowUp')
    await expect(favourites.getByRole('link')).toHaveText(['Gull', 'Punts'])
    await page.reload()
    await expect(favourites.getByRole('link')).toHaveText(['Gull', 'Punts'])
  })

  await test.step('a favorite is removed, and undo restores it', async () => {
    await favourites.getByRole('button', { name: 'Remove Punts from favorites' }).focus()
    await page.keyboard.press('Enter')
    await expect(favourites.getByRole('link')).toHaveText(['Gull'])
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(favourites.getByRole('link')).toHaveText(['Gull', 'Punts'])
  })

  await test.step('favorites disappear when their target is deleted', async () => {
    await ask('DELETE', `/api/collections/punts/records/${String(id)}`)
    await page.goto('/')
    await expect(favourites.getByRole('link')).toHaveText(['Punts'])
    await ask('DELETE', '/api/collections/punts')
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible()
    await expect(favourites.getByRole('link', { name: 'Punts' })).toBeHidden()
  })
})

test('the sidebar can be collapsed by keyboard and resized, and its state is remembered', async ({ page, server }) => {
  await shelve(server.url, { label: 'Gliders' })
  await signIn(page, ADA)
  await page.goto('/')
  await expect(sidebar(page)).toBeVisible()
  const edge = page.getByRole('separator', { name: 'Sidebar width' })
  const widthPx = async (): Promise<number> => Number(await edge.getAttribute('aria-valuenow'))

  await edge.focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  expect(await widthPx()).toBe(280)
  const box = await edge.boundingBox()
  if (!box) throw new Error('There is no edge.')
  await page.mouse.move(box.x + 3, 400)
  await page.mouse.down()
  await page.mouse.move(box.x + 63, 400, { steps: 5 })
  await page.mouse.up()
  await expect.poll(widthPx).toBe(340)
  await page.reload()
  await expect.poll(widthPx).toBe(340)

  await page.locator('#main').focus()
  await page.keyboard.press('[')
  await expect(sidebar(page)).toBeHidden()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Show sidebar' })).toBeVisible()
  await expect(sidebar(page)).toBeHidden()
  await page.getByRole('button', { name: 'Show sidebar' }).click()
  await expect(sidebar(page)).toBeVisible()
})

test('two hundred collections are loaded together and found by typing', async ({ page, server }) => {
  const { ask } = await asProgram(server.url, ADA)
  for (let at = 1; at <= 200; at += 1) {
    await ask('POST', '/api/collections', { label: `Crate ${at}`, group: `Row ${Math.ceil(at / 20)}` })
  }
  await signIn(page, ADA)
  await page.goto('/')
  await expect(line(page, 'Crate 200')).toBeAttached()
  await expect(line(page, 'Crate 200')).toHaveAccessibleDescription('0 records', { timeout: 20_000 })

  const takenMs = await page.evaluate(async () => {
    const box = document.querySelector<HTMLInputElement>('.sidebar-filter input')
    if (!box) throw new Error('There is no box.')
    const began = performance.now()
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(box, 'crate 117')
    box.dispatchEvent(new Event('input', { bubbles: true }))
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    return performance.now() - began
  })
  test.info().annotations.push({ type: 'measured', description: `narrowed among 200 in ${Math.round(takenMs)} ms` })
  await expect(line(page, 'Crate')).toHaveCount(1)
  await sidebar(page).getByRole('searchbox', { name: 'Find a collection' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'Crate 117' })).toBeVisible()
  for (let at = 1; at <= 200; at += 1) await ask('DELETE', `/api/collections/crate${at}`)
})

for (const width of [1440, 375, 320]) {
  test(`the sidebar is accessible in light and dark mode at ${width} pixels`, async ({ page, server }) => {
    await shelve(server.url, { label: `Lamps ${width}`, group: 'Lights and whatever else gives light' })
    await signIn(page, ADA)
    await page.setViewportSize({ width, height: 800 })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.goto('/')
      if (width < 896) await page.getByRole('button', { name: 'Open navigation' }).click()
      await expect(line(page, `Lamps ${width}`)).toBeVisible()
      expect(await axeFindings(page)).toEqual([])
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      expect(overflow).toBeLessThanOrEqual(0)
    }
  })
}
