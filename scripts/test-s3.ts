/**
 * `node scripts/test-s3.ts [vitest arguments]`: runs the storage, upload and file tests against a local Ceph server, or
 * against the S3 storage in TEST_S3.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { missingPrograms, startRgw } from '#tests/support/files/rgw.ts'

const SUITES = [
  '--project',
  'server-sqlite',
  '--project',
  'files-in-s3',
  'server/platform/storage',
  'server/files',
  'tests/http',
]

async function runSuites(address: string): Promise<number> {
  const words = process.argv.slice(2)
  const args = ['node_modules/vitest/vitest.mjs', 'run', ...(words.length > 0 ? words : SUITES)]
  const child = spawn(process.execPath, args, { stdio: 'inherit', env: { ...process.env, TEST_S3: address } })
  await once(child, 'exit')
  return child.exitCode ?? 1
}

async function main(): Promise<number> {
  const named = process.env['TEST_S3']
  if (named !== undefined) return runSuites(named)
  const missing = await missingPrograms()
  if (missing.length > 0) {
    console.log(`The tests did not run on a real S3 server: ${missing.join(', ')} are not installed.`)
    return 0
  }
  const startedAt = performance.now()
  const rgw = await startRgw()
  console.log(`A Ceph with its S3 gateway is ready after ${((performance.now() - startedAt) / 1000).toFixed(1)} s.`)
  try {
    return await runSuites(rgw.address)
  } finally {
    await rgw.stop()
  }
}

process.exitCode = await main()
