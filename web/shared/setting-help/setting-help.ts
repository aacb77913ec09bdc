/** A setting explained: what it does, what it is when nobody sets it. */
export type SettingHelp = { readonly label: string; readonly place: string; readonly text: string }
