import { expect } from '@playwright/test'
import { axeFindings } from '#tests/support/browser/axe-findings.ts'
import { test } from '#tests/support/browser/browser-page.ts'
import { ADA, asProgram, signIn, WITH_ADA } from '#tests/support/browser/session-page.ts'

test.use({ serverSettings: WITH_ADA })

/** More records than are recalculated at once. */
const SPOKES = 700

test('values that are being recalculated are marked until they are current', async ({ page, server }) => {
  const { ask } = await asProgram(server.url, ADA)
  await ask('POST', '/api/collections', { label: 'Hubs', fields: [{ label: 'Title', kind: 'text' }] })
  await ask('POST', '/api/collections', { label: 'Spokes', fields: [{ label: 'Title', kind: 'text' }] })
  const options = { collection: 'hubs', many: false }
  await ask('POST', '/api/collections/spokes/fields', { label: 'Hub', kind: 'relation', options })
  const { id: hub } = await ask('POST', '/api/collections/hubs/records', { values: { title: 'old' } })
  const create = Array.from({ length: SPOKES }, (_, at) => ({ values: { title: `Spoke ${at}`, hub } }))
  await ask('POST', '/api/collections/spokes/records/bulk', { create })
  const formula = { formula: 'upper(hub.title)' }
  await ask('POST', '/api/collections/spokes/fields', { label: 'Loud', kind: 'formula', options: formula })
  const recalculation = '/api/collections/spokes/fields/loud/recalculation'
  await expect.poll(async () => (await ask('GET', recalculation))['state']).toBe('done')
  // A stopped calculation stays visible until it is restarted.
  await ask('DELETE', recalculation)
  await ask('PATCH', `/api/collections/hubs/records/${String(hub)}`, { values: { title: 'new' } })

  await signIn(page, ADA)
  await page.goto('/collections/spokes')
  await expect(page.getByText('these fields are being recalculated: Loud')).toBeVisible()
  await expect(page.getByRole('gridcell', { name: 'OLD' }).first()).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('link', { name: 'Spoke 1', exact: true }).first().click()
  await expect(page.getByText('Being recalculated. The value may not be current.')).toBeVisible()

  await page.goto('/collections/spokes/settings')
  await expect(page.getByText('The calculation of Loud was stopped. Some values aren’t current.')).toBeVisible()
  await page.getByRole('button', { name: 'Calculate Loud again' }).click()
  await expect(page.getByRole('button', { name: 'Calculate Loud again' })).toBeHidden()
  await page.goto('/collections/spokes')
  await expect(page.getByRole('gridcell', { name: 'NEW' }).first()).toBeVisible()
  await expect(page.getByText('these fields are being recalculated: Loud')).toBeHidden()
})
