import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { findLockfileErrors, type Lockfile, type Manifest } from './check-lockfile.ts'

const sound: Lockfile = {
  packages: {
    '': { dependencies: { tool: '1.0.0' } },
    'node_modules/tool': {
      integrity: 'sha512-a',
      optionalDependencies: { 'tool-linux': '1.0.0', 'tool-mac': '1.0.0' },
    },
    'node_modules/tool/node_modules/tool-linux': { integrity: 'sha512-b' },
    'node_modules/tool-mac': { integrity: 'sha512-c' },
  },
}
const manifest: Manifest = { dependencies: { tool: '1.0.0' } }

describe('a lockfile', () => {
  test('is valid when it contains every platform', () => {
    expect(findLockfileErrors(sound, manifest)).toEqual([])
  })

  test('reports a missing platform by name', () => {
    const { 'node_modules/tool-mac': _, ...packages } = sound.packages
    expect(findLockfileErrors({ packages }, manifest)).toEqual([
      'node_modules/tool may need tool-mac, which has no entry.',
    ])
  })

  test('reports a package URL from another registry', () => {
    const tool = { ...sound.packages['node_modules/tool'], resolved: 'https://mirror.example/tool.tgz' }
    const lock = { packages: { ...sound.packages, 'node_modules/tool': tool } }
    expect(findLockfileErrors(lock, manifest)).toEqual(['node_modules/tool names the address it was fetched from.'])
  })

  test('reports a version that differs from package.json', () => {
    const faults = findLockfileErrors(sound, { dependencies: { tool: '1.0.1' } })
    expect(faults).toEqual(['tool differs between package.json and package-lock.json.'])
  })

  test('is valid in this repository', () => {
    const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lockfile
    expect(Object.keys(lock.packages).length).toBeGreaterThan(200)
    expect(findLockfileErrors(lock, JSON.parse(readFileSync('package.json', 'utf8')) as Manifest)).toEqual([])
  })
})
