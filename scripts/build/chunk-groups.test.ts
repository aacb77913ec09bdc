import { expect, test } from 'vitest'
import { chunkGroupsOf } from './chunk-groups.ts'

const IMPORTS: { readonly [id: string]: readonly string[] } = {
  '/r/web/app/main.tsx': ['/r/web/ui/theme.ts', '/r/node_modules/@mantine/core/esm/index.mjs'],
  '/r/web/pages/guest/login-page.tsx': ['/r/web/ui/button.tsx'],
  '/r/web/app/frame/shell.tsx': ['/r/web/ui/button.tsx', '/r/web/ui/menu.tsx'],
  '/r/node_modules/@mantine/core/esm/index.mjs': ['/r/node_modules/@mantine/core/esm/Stepper.mjs'],
}
const modules = { getModuleInfo: (id: string) => ({ importedIds: IMPORTS[id] ?? [] }) }

test('what the first page needs comes in one file, and what the frame needs besides in a second', () => {
  const layerOf = chunkGroupsOf('/r')
  expect(layerOf('/r/web/ui/theme.ts', modules)).toBe('first')
  expect(layerOf('/r/web/ui/button.tsx', modules)).toBe('first')
  expect(layerOf('/r/web/ui/menu.tsx', modules)).toBe('inside')
  expect(layerOf('/r/web/pages/records/records-page.tsx', modules)).toBeNull()
})

test('what a library merely offers comes with none of them', () => {
  expect(chunkGroupsOf('/r')('/r/node_modules/@mantine/core/esm/Stepper.mjs', modules)).toBeNull()
})
