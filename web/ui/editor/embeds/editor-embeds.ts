import { createContext, type ReactNode } from 'react'
import type { DocumentEmbeds, MentionIds } from '#web/ui/document/embed-context.ts'

/** How the sending of a file ended: with the file, or with nothing where it was given up. */
export type UploadResult = {
  /** Absent where nothing in this editor stands for the file, as after a reload. */
  readonly mark: string | undefined
  readonly arrived: { readonly file: string; readonly isPicture: boolean } | undefined
}

/** Somebody or something that can be mentioned. */
export type MentionOption = {
  readonly mention: MentionIds
  readonly name: string
  /** What tells it from others of the same name. */
  readonly detail?: string
}

/** What a search for people and records found first, and whether there is more. */
export type FoundMentions = { readonly choices: readonly MentionOption[]; readonly isCut: boolean }

/** What an editor is handed so that files and mentions can be written into its document. */
export type EditorEmbeds = DocumentEmbeds & {
  /** Begins to send what was dropped, pasted or chosen; answers a mark for each file that is taken. */
  readonly send: (given: DataTransfer | readonly File[]) => Promise<readonly string[]>
  /** Draws how far a file is. */
  readonly drawUpload: (mark: string) => ReactNode
  /** Gives up a file whose place was taken out of the document. */
  readonly giveUp: (mark: string) => void
  /** Learns of files that have arrived or were given up. */
  readonly follow: (listener: (end: UploadResult) => void) => () => void
  /** Finds people and records by their names. */
  readonly search: (text: string, signal: AbortSignal) => Promise<FoundMentions>
  /** Somebody was mentioned: their name is known from now on. */
  readonly mentioned: (choice: MentionOption) => void
  /** Files of another text were left out of what was pasted. */
  readonly onStrange: (count: number) => void
}

/** Draws a file on its way. */
export const UploadView = createContext<(mark: string) => ReactNode>(() => null)
