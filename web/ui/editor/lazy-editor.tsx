import { lazy, type ReactNode, Suspense } from 'react'
import type { EditorProps } from './use-field-editor.ts'

const LoadedEditor = lazy(() => import('./editor.tsx').then(({ Editor }) => ({ default: Editor })))

/** The rich-text field, fetched when it is first shown; until then `meanwhile` stands in its place. */
export function LazyEditor({ meanwhile, ...props }: EditorProps & { readonly meanwhile: ReactNode }) {
  return (
    <Suspense fallback={meanwhile}>
      <LoadedEditor {...props} />
    </Suspense>
  )
}
