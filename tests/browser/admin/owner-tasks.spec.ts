import { expect, type Locator, type Page } from '@playwright/test'
import { axeFindings } from '#tests/support/browser/axe-findings.ts'
import { test } from '#tests/support/browser/browser-page.ts'
import { ADA, asProgram, acceptInvitation, signIn, WITH_ADA } from '#tests/support/browser/session-page.ts'

// Uses its own server, because it needs its own collections and roles.
test.use({ serverSettings: { env: { ...WITH_ADA.env, LOG_LEVEL: 'error' } } })

const BEN = { name: 'Ben', email: 'ben@example.org', password: 'eleven storks count the stars' }
const LONG = 'External accountants of the Northern subsidiary, read only'

type Made = { readonly id: string; readonly options: { readonly choices: readonly { id: string; name: string }[] } }

/** Orders with a workflow: one belongs to Ben, and another is shipped. Ben can edit only his own. */
async function makeShop(url: string) {
  const { ask } = await asProgram(url, ADA)
  const choices = ['New', 'Approved', 'Shipped'].map((name, at) => ({ name, color: ['gray', 'blue', 'green'][at] }))
  const { fields } = (await ask('POST', '/api/collections', {
    label: 'Orders',
    fields: [
      { label: 'Customer', kind: 'text' },
      { label: 'Tracking', kind: 'text' },
      { label: 'Status', kind: 'state', options: { choices } },
    ],
  })) as unknown as { readonly fields: readonly Made[] }
  const states = fields[2]?.options.choices.map(({ id }) => id) ?? []
  await ask('PATCH', '/api/collections/orders', {
    workflow: {
      transitions: [
        { name: 'Approve', from: states[0], to: states[1] },
        { name: 'Ship', from: states[1], to: states[2] },
      ],
      states: { [states[2] ?? '']: { frozen: 'all' } },
    },
  })
  await ask('POST', '/api/collections', {
    label: 'Payroll',
    fields: [
      { label: 'Name', kind: 'text' },
      { label: 'Salary', kind: 'number' },
    ],
  })
  const grants = [
    { permission: 'records:read', collection: null },
    { permission: 'records:create', collection: 'orders' },
    { permission: 'records:update', collection: 'orders', where: 'createdBy = @me' },
  ]
  const policy = await ask('POST', '/api/policies', { name: 'Counter', grants })
  const role = await ask('POST', '/api/roles', { name: 'Clerk', policies: [policy['id']] })
  await ask('POST', '/api/roles', { name: 'Manager', policies: [] })
  const long = await ask('POST', '/api/roles', { name: LONG, policies: ['viewer'] })
  await acceptInvitation(ask, BEN, String(role['id']))
  const make = async (values: object) =>
    String((await ask('POST', '/api/collections/orders/records', { values }))['id'])
  const ofAda = await make({ customer: 'Harbour Books' })
  const shipped = await make({ customer: 'Lumen Print', status: 'Shipped' })
  const ben = await asProgram(url, BEN)
  const ofBen = await ben.ask('POST', '/api/collections/orders/records', { values: { customer: 'Quiet Press' } })
  return { clerk: String(role['id']), long: String(long['id']), ofAda, shipped, ofBen: String(ofBen['id']) }
}

let shop: Awaited<ReturnType<typeof makeShop>> | undefined

/** Creates the test data once for all tasks. */
const openShop = async (url: string) => (shop ??= await makeShop(url))

function counted() {
  let count = 0
  const act = async (action: Promise<unknown>) => {
    count += 1
    await action
  }
  return { click: (what: Locator) => act(what.click()), act, count: () => count }
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })

test('hiding a field from viewers takes six screen actions', async ({ page, server }) => {
  await openShop(server.url)
  await signIn(page, ADA)
  await page.goto('/settings/workspace')
  const { click, act, count } = counted()
  await click(page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Roles' }))
  await click(page.getByRole('list', { name: 'Roles' }).getByRole('link', { name: 'Viewer' }))
  await click(button(page, 'View, Payroll: all'))
  await click(page.getByRole('menuitem', { name: 'Exclude fields' }))
  await act(page.getByRole('checkbox', { name: 'Salary' }).check())
  await click(button(page, 'Save'))
  await expect(button(page, 'View, Payroll: without Salary')).toBeVisible()
  expect(count()).toBe(6)
  await button(page, 'Undo').click()
  await expect(button(page, 'View, Payroll: all')).toBeVisible()
})

test('requiring tracking for shipped orders takes eight screen actions without typing', async ({ page, server }) => {
  await openShop(server.url)
  await signIn(page, ADA)
  await page.goto('/collections/orders/settings')
  const dialog = page.getByRole('dialog', { name: 'Add a rule' })
  const when = dialog.getByRole('group', { name: 'When', exact: true })
  const then = dialog.getByRole('group', { name: 'Then require' })
  const { click, count } = counted()
  await click(button(page, 'Add a rule'))
  // Adding a condition also opens its field list.
  await click(when.getByRole('button', { name: 'Add condition' }))
  await click(page.getByRole('option', { name: 'Status' }))
  await click(when.getByLabel('Value for Status'))
  await click(page.getByRole('option', { name: 'Shipped' }))
  await click(then.getByRole('combobox', { name: 'Field' }))
  await click(page.getByRole('option', { name: 'Tracking' }))
  await click(dialog.getByRole('button', { name: 'Add rule' }))
  expect(count()).toBe(8)
  const rules = page.getByRole('region', { name: 'Validation rules' })
  await expect(rules).toContainText('When Status is “Shipped”, Tracking must not be empty.')
  await expect(rules.getByRole('link', { name: 'Show 1 record that breaks it' })).toBeVisible()
  await rules.getByRole('button', { name: /^Remove rule/ }).click()
  await expect(rules.getByRole('listitem')).toHaveCount(0)
})

test('restricting approval to managers takes three screen actions', async ({ page, server }) => {
  await openShop(server.url)
  await signIn(page, ADA)
  await page.goto('/collections/orders/settings')
  const { click, act, count } = counted()
  await click(button(page, 'Edit transition “Approve”'))
  const who = page.getByRole('group', { name: 'Who can do this' })
  await act(who.getByRole('checkbox', { name: 'Manager' }).check())
  expect(await axeFindings(page)).toEqual([])
  await click(button(page, 'Save transition'))
  await expect(page.getByRole('list', { name: 'Transitions' }).getByRole('listitem').first()).toContainText('Manager')
  expect(count()).toBe(3)
})

test('turning on a workflow without a status field offers to create one', async ({ page, server }) => {
  await openShop(server.url)
  await signIn(page, ADA)
  await page.goto('/collections/payroll/settings')
  await page.getByRole('region', { name: 'Workflow' }).getByRole('button', { name: 'Add status field' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a field' })
  await expect(dialog.getByRole('combobox', { name: 'Field type' })).toHaveValue('Status')
  expect(await axeFindings(page)).toEqual([])
})

test("explaining why a user can't edit a record takes two screen actions", async ({ page, server }) => {
  const { ofAda, shipped } = await openShop(server.url)
  await signIn(page, ADA)
  const answer = page.getByRole('dialog', { name: 'Check access' }).getByRole('status')
  await page.goto(`/collections/orders/${ofAda}`)
  await button(page, 'Check access').click()
  await page.getByRole('option', { name: 'Ben' }).click()
  await expect(answer).toContainText(
    'The role Clerk (“Counter”) allows it only for records they created, and this record doesn’t match.',
  )
  expect(await axeFindings(page)).toEqual([])

  await page.goto(`/collections/orders/${shipped}`)
  await button(page, 'Check access').click()
  await page.getByRole('option', { name: 'ada' }).click()
  await expect(answer).toContainText('Not now')
  await expect(answer).toContainText('While the status is “Shipped”, this record can’t be edited.')
})

test('starting “View as …” from a role takes two screen actions', async ({ page, server }) => {
  const { clerk } = await openShop(server.url)
  await signIn(page, ADA)
  await page.goto('/settings/roles')
  const { click, count } = counted()
  await click(page.getByRole('list', { name: 'Roles' }).getByRole('link', { name: 'Clerk' }))
  await expect(page).toHaveURL(new RegExp(`/settings/roles/${clerk}$`))
  await click(button(page, /^View as this user.*Ben$/))
  const bar = page.getByRole('region', { name: 'Viewing as another user' })
  await expect(bar).toContainText('Viewing as Ben. Read-only.')
  expect(count()).toBe(2)
  await bar.getByRole('button', { name: 'Stop' }).click()
  await expect(bar).toHaveCount(0)
})

test("a read-only record is labeled, its fields can't be edited, and the list offers no field changes", async ({
  page,
  server,
}) => {
  const { ofAda, ofBen } = await openShop(server.url)
  await signIn(page, BEN)
  await page.goto(`/collections/orders/${ofAda}`)
  await expect(page.getByText('You can view this record, but you don’t have permission to edit it.')).toBeVisible()
  await expect(page.getByLabel('Tracking')).not.toBeEditable()
  expect(await axeFindings(page)).toEqual([])
  await page.goto(`/collections/orders/${ofBen}`)
  await page.getByLabel('Tracking').fill('T-1')
  await expect(page.getByText('Saved', { exact: true }).first()).toBeVisible()
  await expect(page.getByText('You can view this record')).toHaveCount(0)

  await page.goto('/collections/orders')
  const header = page.getByRole('columnheader', { name: 'Tracking' })
  await expect(header).toBeVisible()
  await expect(button(page, 'Add a field')).toHaveCount(0)
  await header.dblclick()
  await expect(page.getByRole('textbox', { name: 'Rename Tracking' })).toHaveCount(0)
  await header.focus()
  await page.keyboard.press('F2')
  await expect(page.getByRole('menuitem', { name: 'Sort ascending' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: /field$/ })).toHaveText(['Group by this field'])
})

test('the permission matrix is a single tab stop with arrow-key navigation', async ({ page, server }) => {
  const { clerk } = await openShop(server.url)
  await signIn(page, ADA)
  await page.goto(`/settings/roles/${clerk}`)
  await page.getByRole('region', { name: /^Permissions by collection: Clerk/ }).focus()
  await page.keyboard.press('Tab')
  await expect(button(page, 'View, All collections: all')).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowRight')
  await expect(button(page, 'Create, Orders: all')).toBeFocused()
  await page.keyboard.press('End')
  await expect(button(page, 'Manage, Orders: no')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(button(page, /^Manage users/)).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await expect(button(page, 'Manage, Orders: no')).toBeFocused()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Edit details' }).press('Enter')
  await expect(page.getByRole('dialog', { name: 'Manage · Orders' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(button(page, 'Manage, Orders: no')).toBeFocused()
})

test('nothing is cut off on the smallest screen, and back navigation works', async ({ page, server }) => {
  const { long } = await openShop(server.url)
  await signIn(page, ADA)
  await page.setViewportSize({ width: 320, height: 640 })
  for (const path of [
    `/settings/roles/${long}`,
    '/settings/roles',
    '/collections/orders/settings',
    '/settings/audit',
  ]) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    const isWide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)
    expect(isWide, path).toBe(false)
    expect(await axeFindings(page)).toEqual([])
  }
  await expect(
    page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Audit log' }),
  ).toBeInViewport()
  await page.goto(`/settings/roles/${long}`)
  await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link', { name: 'Roles' }).click()
  await expect(page.getByRole('heading', { name: 'Roles' })).toBeVisible()
})
