import { expect, test } from 'vitest'
import { offlineFiles } from './offline-files.ts'

const chunk = (moduleIds: readonly string[], next: object = {}) => ({
  type: 'chunk' as const,
  imports: [],
  dynamicImports: [],
  moduleIds,
  ...next,
})

test('the offline files are those needed at startup, excluding settings pages and rare fonts', () => {
  const viteMetadata = {
    importedCss: new Set(['assets/first.css']),
    importedAssets: new Set(['assets/inter-latin-x.woff2', 'assets/inter-latin-ext-x.woff2']),
  }
  const files = offlineFiles({
    'assets/first.js': chunk(['/a/web/app/main.tsx'], {
      imports: ['assets/shared.js'],
      dynamicImports: ['assets/list.js', 'assets/audit.js'],
      viteMetadata,
    }),
    'assets/shared.js': chunk(['/a/web/ui/store.ts'], { imports: ['assets/first.js'] }),
    'assets/list.js': chunk(['/a/web/pages/records/records-page.tsx']),
    'assets/audit.js': chunk(['/a/web/pages/settings/audit-page.tsx']),
    'assets/unused.js': chunk(['/a/web/unused.ts']),
  })
  expect(files.toSorted()).toEqual([
    '/assets/first.css',
    '/assets/first.js',
    '/assets/inter-latin-x.woff2',
    '/assets/list.js',
    '/assets/shared.js',
  ])
})
