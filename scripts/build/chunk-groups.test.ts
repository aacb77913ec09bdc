import { expect, test } from 'vitest'
import { chunkGroups } from './chunk-groups.ts'

const MANTINE = '/r/node_modules/@mantine/core/esm'
const IMPORTS: { readonly [id: string]: readonly string[] } = {
  '/r/web/app/main.tsx': ['/r/web/ui/theme.ts'],
  '/r/web/pages/guest/login-page.tsx': ['/r/web/ui/button.tsx'],
  '/r/web/app/frame/shell.tsx': ['/r/web/ui/button.tsx', `${MANTINE}/index.mjs`],
  '/r/web/pages/records/records-page.tsx': ['/r/web/ui/rows.tsx', '/r/web/ui/cells.tsx'],
  '/r/web/pages/home/home-page.tsx': ['/r/web/ui/rows.tsx'],
}
const CODE: { readonly [id: string]: string } = {
  '/r/web/app/frame/shell.tsx': `import { Menu } from '@mantine/core'`,
  [`${MANTINE}/index.mjs`]: `import { Menu } from "./Menu.mjs"\nimport { Stepper } from "./Stepper.mjs"`,
}
const LATER: { readonly [id: string]: readonly string[] } = {
  '/r/web/app/frame/shell.tsx': ['/r/web/features/palette.tsx', '/r/web/pages/settings/users-page.tsx'],
}
const modules = {
  getModuleInfo: (id: string) => ({
    importedIds: IMPORTS[id] ?? [],
    dynamicallyImportedIds: LATER[id] ?? [],
    code: CODE[id] ?? null,
  }),
}

const chunkOf = (id: string): string | null =>
  chunkGroups('/r')
    .map(({ name }) => name(id, modules))
    .find((name) => name !== null) ?? null

test('a module is assigned to the first chunk that needs it', () => {
  expect(chunkOf('/r/web/ui/theme.ts')).toBe('first')
  expect(chunkOf('/r/web/ui/button.tsx')).toBe('first')
  expect(chunkOf('/r/web/ui/cells.tsx')).toBe('list')
})

test('modules shared by two pages form a chunk that contains nothing else from either page', () => {
  expect(chunkOf('/r/web/ui/rows.tsx')).toBe('records')
})

test('a chunk contains only those components of a library that are imported', () => {
  expect(chunkOf(`${MANTINE}/Menu.mjs`)).toBe('inside')
  expect(chunkOf(`${MANTINE}/Stepper.mjs`)).toBeNull()
})

test('modules that the app shell loads when idle form one chunk, without other pages’ modules', () => {
  expect(chunkOf('/r/web/features/palette.tsx')).toBe('frame-later')
  expect(chunkOf('/r/web/pages/settings/users-page.tsx')).toBeNull()
})
