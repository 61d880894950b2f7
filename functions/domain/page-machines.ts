/** Opens web pages in machines that nothing else uses, and that have no permissions. */
export interface PageMachines {
  /**
   * @param machine identifies the machine, which is started if it is not running
   * @returns the response, unchecked
   */
  call(request: object, options: { readonly machine: string; readonly signal: AbortSignal }): Promise<unknown>;
  /** @returns a URL to store a file with this key until `expiresAt` */
  putUrl(key: string, expiresAt: number): Promise<string>;
}
