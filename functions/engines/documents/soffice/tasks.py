"""Answers the tasks of the engine with a running LibreOffice, through its bridge."""

import os
import shutil
import tempfile
import time

import uno
from com.sun.star.lang import DisposedException

from documents import Refused, convert

LOOK_SECONDS = 0.02


class Tasks:
    """A connection to LibreOffice. It can access only its own folder."""

    def __init__(self, office, folder):
        """Waits until LibreOffice has started."""
        self.office = office
        self.folder = folder
        self.context = connect(office)

    def answer(self, task):
        """@param task `OfficeTask` in plan.ts, or one without an input, which checks that LibreOffice responds
        @return `OfficeAnswer` in office.ts
        """
        try:
            return self.converted(task) if "input" in task else {"version": self.version()}
        except Refused as refused:
            return {"refused": refused.reason, "detail": str(refused)}
        except Exception as error:
            lost = isinstance(error, DisposedException) or not self.office.is_alive()
            return {"lost": lost, "killed": lost and self.office.was_killed(), "detail": repr(error)}

    def converted(self, task):
        """The document is copied into LibreOffice's folder, and the result is moved out."""
        with tempfile.TemporaryDirectory(dir=self.folder) as directory:
            source, result = os.path.join(directory, f"source.{task['extension']}"), os.path.join(directory, "result")
            try:
                os.link(task["input"], source)
            except OSError:
                shutil.copyfile(task["input"], source)
            answer = convert(self.context, {**task, "input": source, "output": result})
            shutil.move(result, task["output"])
            return answer

    def version(self):
        manager = self.context.ServiceManager
        provider = manager.createInstanceWithContext("com.sun.star.configuration.ConfigurationProvider", self.context)
        path = uno.createUnoStruct("com.sun.star.beans.NamedValue", "nodepath", "/org.openoffice.Setup/Product")
        read = "com.sun.star.configuration.ConfigurationAccess"
        return provider.createInstanceWithArguments(read, (path,)).getByName("ooSetupVersionAboutBox")


def connect(office):
    local = uno.getComponentContext()
    resolver = local.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", local)
    while office.keep_starting():
        try:
            return resolver.resolve(f"uno:pipe,name={office.pipe};urp;StarOffice.ComponentContext")
        except Exception:
            time.sleep(LOOK_SECONDS)
    raise SystemExit(f"LibreOffice failed to start: {office.process.poll()}")
