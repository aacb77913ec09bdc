import { lazy, type ReactNode, Suspense } from 'react'
import type { EditorProps } from './use-field-editor.ts'
import { Input } from '@mantine/core'
import type { RichTextDocument } from '#web/ui/document/embeds.tsx'
import { DocumentView } from '#web/ui/document/document-view.tsx'
import './editor.css'

const LoadedEditor = lazy(() => import('./editor.tsx').then(({ Editor }) => ({ default: Editor })))

/** The rich-text field, fetched when it is first shown; until then `meanwhile` stands in its place. */
export function LazyEditor({ meanwhile, ...props }: EditorProps & { readonly meanwhile: ReactNode }) {
  return (
    <Suspense fallback={meanwhile}>
      <LoadedEditor {...props} />
    </Suspense>
  )
}

type DocumentFrameProps = {
  readonly value: RichTextDocument | null
  readonly label: string
  readonly description?: ReactNode
  readonly error?: ReactNode
  readonly required?: boolean
  /** Whether the editor is on its way: then the room around its text is kept, so that nothing moves when it arrives. */
  readonly isComing?: boolean
}

/** A rich-text field as it is read, without the editor. */
export function DocumentFrame({ value, isComing = false, label, ...wrapper }: DocumentFrameProps) {
  return (
    <Input.Wrapper label={label} labelElement="div" {...wrapper}>
      <div
        className="editor"
        role="group"
        aria-label={label}
        aria-busy={isComing}
        data-read-only={!isComing || undefined}
      >
        {isComing && <div className="editor-toolbar-room" />}
        <div className="editor-content">
          {value ? <DocumentView document={value} /> : isComing && <div className="document" />}
        </div>
        {isComing && <div className="editor-length" />}
      </div>
    </Input.Wrapper>
  )
}
