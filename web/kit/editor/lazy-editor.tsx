import { Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'
import type { EditorProps } from './editor.tsx'

const LoadedEditor = lazy(() => import('./editor.tsx').then(({ Editor }) => ({ default: Editor })))

/** About the height of an empty editor with its toolbar and name, so that nothing jumps when it arrives. */
const WAITING_HEIGHT_PX = 200

/** The rich-text field, fetched when it is first shown. */
export function LazyEditor(props: EditorProps) {
  return (
    <Suspense fallback={<Skeleton height={WAITING_HEIGHT_PX} aria-hidden />}>
      <LoadedEditor {...props} />
    </Suspense>
  )
}
