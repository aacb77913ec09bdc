import AxeBuilder from '@axe-core/playwright'
import { expect } from '@playwright/test'
import { test } from '#tests/support/browser-page.ts'
import { ADA, signIn, WITH_ADA } from '#tests/support/session-page.ts'

test.use({ serverSettings: WITH_ADA })

test('more records than fit in one go are deleted by what finds them, but for those taken out', async ({
  page,
  server,
}) => {
  test.setTimeout(120_000)
  await signIn(page, ADA)

  await test.step('a list of more than ten thousand', async () => {
    const ask = async (path: string, body: object, token = '') => {
      const headers = token === '' ? {} : { authorization: `Bearer ${token}` }
      const answer = await page.request.post(`${server.url}${path}`, { data: body, headers })
      expect(answer.ok(), await answer.text()).toBe(true)
      return answer.json()
    }
    const { token } = await ask('/api/auth/login', { email: ADA.email, password: ADA.password, client: 'api' })
    await ask('/api/collections', { label: 'Parcels', fields: [{ label: 'Code', kind: 'text' }] }, token)
    for (const count of [10_000, 50]) {
      const create = Array.from({ length: count }, (_, at) => ({ values: { code: `parcel ${at}` } }))
      await ask('/api/collections/parcels/records/bulk', { create }, token)
    }
  })

  await test.step('is selected but for one, deleted, called back, deleted again', async () => {
    await page.goto(`${server.url}/collections/parcels`)
    await expect(page.getByRole('grid')).toContainText('parcel 3')
    await page.getByRole('checkbox', { name: 'Select all records on this page' }).check()
    await page.getByRole('button', { name: /^Select all 10,050/ }).click()
    await page.getByRole('checkbox', { name: 'Select parcel 3', exact: true }).uncheck()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await expect(page.getByText('All matching records will be deleted')).toBeVisible()
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByText('All matching records will be deleted')).toBeHidden()
    await expect(page.getByText('10,050 records').first()).toBeVisible()

    await page.getByRole('checkbox', { name: 'Select all records on this page' }).check()
    await page.getByRole('button', { name: /^Select all 10,050/ }).click()
    await page.getByRole('checkbox', { name: 'Select parcel 3', exact: true }).uncheck()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await expect(page.getByText(/^Deleting: /)).toBeVisible({ timeout: 15_000 })
    await expect(page.getByText('Deleted 10,049 records')).toBeVisible({ timeout: 60_000 })
    await expect(page.getByText('1 record', { exact: true }).first()).toBeVisible()
    await expect(page.getByRole('grid')).toContainText('parcel 3')
  })
})
