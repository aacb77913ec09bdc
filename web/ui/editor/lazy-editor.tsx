import { lazy, type ReactNode, Suspense, useId } from 'react'
import type { EditorProps } from './use-field-editor.ts'
import { Input } from '@mantine/core'
import type { RichTextDocument } from '#web/ui/document/embeds.tsx'
import { DocumentView } from '#web/ui/document/document-view.tsx'
import './editor.css'

const LoadedEditor = lazy(() => import('./editor.tsx').then(({ Editor }) => ({ default: Editor })))

/** The rich-text field, loaded when first shown; `meanwhile` is rendered until then. */
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
  /** Whether the editor is still loading, so that its space is reserved. */
  readonly isComing?: boolean
}

export function DocumentFrame({ value, isComing = false, label, ...wrapper }: DocumentFrameProps) {
  const id = useId()
  return (
    <Input.Wrapper id={id} label={label} labelElement="div" {...wrapper}>
      <div
        className="editor"
        role="group"
        aria-label={label}
        aria-describedby={wrapper.description ? `${id}-description` : undefined}
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
