import { type Browser, expect, test } from '@playwright/test'
import { type Plan, runUpload } from '#tests/conformance/upload/upload-run.ts'
import { CLIENTS, openTestBench } from '#tests/conformance/upload/test-bench.ts'
import { smallFiles } from '#tests/conformance/upload/trials.ts'

/** Random per run; set DOSSIER_SEED to repeat a run. */
const SEED = Number(process.env['DOSSIER_SEED'] ?? Math.floor(Math.random() * 1e9))

/** Allows for slow server startup on a busy machine. */
const TIMEOUT_MS = 600_000

/** Uploads concurrently with all clients to a dedicated server. */
async function endure(browser: Browser, plan: Omit<Plan, 'browser' | 'clients'>) {
  const context = await openTestBench(SEED)
  try {
    const ordeals = await runUpload(context, { ...plan, browser, clients: CLIENTS })
    const reported = ordeals.map(({ client, broken, wrong, lost }) => ({ client, broken, wrong, lost }))
    return { reported, kills: context.server.kills() }
  } finally {
    await context.close()
  }
}

const ALL_ARRIVED = CLIENTS.map((client) => ({ client, broken: undefined, wrong: [], lost: [] }))

test.describe.configure({ timeout: TIMEOUT_MS })

test('FilePond, tus-js-client and Uppy upload 20 MB through ten server kills and a failing network', async ({
  browser,
}) => {
  const files = [{ name: 'large.bin', bytes: 20_000_000, seed: SEED }]
  const { reported, kills } = await endure(browser, { files, isOnDisk: true, kills: 10, faultShare: 0.3 })
  expect(reported, `DOSSIER_SEED=${SEED}`).toEqual(ALL_ARRIVED)
  expect(kills).toBe(10)
})

test('FilePond, tus-js-client and Uppy upload sixty small files through two server kills', async ({ browser }) => {
  const { reported, kills } = await endure(browser, { files: smallFiles(60, SEED), kills: 2, faultShare: 0.05 })
  expect(reported, `DOSSIER_SEED=${SEED}`).toEqual(ALL_ARRIVED)
  expect(kills).toBe(2)
})
